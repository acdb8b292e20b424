// The names of state Secrets follow from names that users choose: what else has such a name is neither read nor overwritten.
import { describe, expect, it } from "@jest/globals";
import {
  apiVersion,
  keyOf,
  kubeResources,
  resources,
  templateStateSecretName,
  type Installation,
  type KubeObject,
  type OwnerReference,
  type Secret,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { storeTemplateStates } from "../installation/subobjects/store-template-states.ts";
import type { TestNamespace } from "@landscaper/testkit";
import { installation, spiff } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const theirs = { config: base64('{"kept":"theirs"}') };

async function createSecret(
  namespace: TestNamespace,
  name: string,
  ownerReferences: OwnerReference[] = [],
): Promise<Secret> {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name, ownerReferences }, data: theirs };
  return await namespace.create(kubeResources.secret, secret);
}

describe("a Secret with the name of a template state", () => {
  it("is left alone when it does not belong to the Installation", async () => {
    const namespace = await setUp.namespace("state-foreign");
    const name = templateStateSecretName("root", "deploy", "default");
    await createSecret(namespace, name);
    const blueprint = { deployExecutions: spiff({ kept: '(( &state ( "ours" ) ))', deployItems: [] }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toBe(
      `template state: Secret "${name}" exists, but does not belong to the installation; states are kept in a Secret of that name: rename or remove it`,
    );
    expect((await namespace.get(kubeResources.secret, name)).data).toEqual(theirs);
  });
});

describe("a Secret that appears before the state is written", () => {
  const ours = { config: base64("ours") };
  const owner = (of: Installation, uid = of.metadata.uid ?? ""): OwnerReference => {
    return { apiVersion, kind: "Installation", name: of.metadata.name ?? "", uid };
  };

  async function prepare(name: string) {
    const namespace = await setUp.namespace(name);
    const make = async (own: string) =>
      namespace.create(resources.installation, installation({ name: own, blueprint: {}, annotations: {} }));
    const [root, other] = [await make("root"), await make("other")];
    const { signal } = new AbortController();
    return {
      namespace,
      root,
      other,
      store: async (client = namespace.client) =>
        storeTemplateStates({ client, installation: root, signal }, [{ name: "state", text: "ours" }]),
    };
  }

  /** A client that reads a Secret as `change` gives it. */
  function reading(client: Client, change: (secret: KubeObject) => Promise<KubeObject> | KubeObject): Client {
    return {
      ...client,
      get: async (type, key, options) => (await change(await client.get(type, key, options))) as never,
    };
  }

  it("is not overwritten when it belongs to something else", async () => {
    const { namespace, other, store } = await prepare("state-race-foreign");
    await createSecret(namespace, "state", [owner(other)]);
    await expect(store()).rejects.toThrow('Secret "state" exists, but does not belong to the installation');
    expect((await namespace.get(kubeResources.secret, "state")).data).toEqual(theirs);
  });

  it("is overwritten when it belongs to the Installation, and keeps its owners", async () => {
    const { namespace, root, other, store } = await prepare("state-race-own");
    await createSecret(namespace, "state", [owner(root), owner(other)]);
    await store();
    const { data, metadata } = await namespace.get(kubeResources.secret, "state");
    expect([data, metadata.ownerReferences]).toEqual([ours, [owner(root), owner(other)]]);
  });

  it("is taken over when an earlier Installation of the name has left it", async () => {
    const { namespace, root, store } = await prepare("state-race-left");
    await createSecret(namespace, "state");
    const ownerReferences = [owner(root, "of-the-earlier-one")];
    await store(reading(namespace.client, (found) => ({ ...found, metadata: { ...found.metadata, ownerReferences } })));
    const { data, metadata } = await namespace.get(kubeResources.secret, "state");
    expect([data, metadata.ownerReferences]).toEqual([ours, [{ ...owner(root), controller: true }]]);
  });

  it.each([
    ["the Installation's own", undefined],
    ["an earlier one's", "of-the-earlier-one"],
  ])("is not overwritten when it changes after it was found to be %s", async (_what, uid) => {
    const { namespace, root, other, store } = await prepare(`state-race-${uid ?? "late"}`);
    await createSecret(namespace, "state", [owner(root)]);
    const racing = reading(namespace.client, async (found) => {
      const body = { metadata: { ownerReferences: [owner(other)] } };
      await namespace.client.patch(kubeResources.secret, keyOf(found), { type: "merge", body });
      return { ...found, metadata: { ...found.metadata, ownerReferences: [owner(root, uid)] } };
    });
    await expect(store(racing)).rejects.toMatchObject({ status: 409 });
    expect((await namespace.get(kubeResources.secret, "state")).data).toEqual(theirs);
  });
});
