import { describe, expect, it } from "@jest/globals";
import {
  apiVersion,
  kubeResources,
  protectionFinalizer,
  resources,
  type KubeObject,
  type ResourceType,
  type Target,
} from "@landscaper/api";
import { waitFor, type TestNamespace } from "@landscaper/testkit";
import { deployItems, installation, targetParameter } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();

const credentials: readonly (readonly [ResourceType, string])[] = [
  [resources.target, "cluster"],
  [resources.context, "default"],
  [kubeResources.secret, "kubeconfig"],
  [kubeResources.secret, "pull"],
];

async function isProtected(namespace: TestNamespace, [type, name]: readonly [ResourceType, string]): Promise<boolean> {
  const found = await namespace.get<KubeObject>(type, name);
  return found.metadata.finalizers?.includes(protectionFinalizer) === true;
}

async function untilProtected(namespace: TestNamespace, expected: boolean): Promise<void> {
  await waitFor(async () => {
    const states = await Promise.all(credentials.map(async (object) => await isProtected(namespace, object)));
    return states.every((state) => state === expected);
  });
}

function secretOf(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name } };
}

const target = (secret = "kubeconfig"): Target => ({
  apiVersion,
  kind: "Target",
  metadata: { name: "cluster" },
  spec: { type: "landscaper.gardener.cloud/mock", secretRef: { name: secret, key: "kubeconfig" } },
});

const blueprint = {
  imports: [targetParameter("cluster")],
  deploy: deployItems({ name: "item", target: { import: "cluster" } }),
};
const root = installation({ name: "root", blueprint, imports: { targets: [{ name: "cluster", target: "cluster" }] } });

/** A namespace with a Target, a Context, their Secrets, and an Installation that uses them. */
async function install(name: string): Promise<TestNamespace> {
  const namespace = await setUp.namespace(name);
  for (const secret of ["kubeconfig", "pull"]) await namespace.create(kubeResources.secret, secretOf(secret));
  await namespace.create(resources.target, target());
  await namespace.until(resources.context, "default", (found) => found !== undefined);
  const body = { registryPullSecrets: [{ name: "pull" }] };
  const key = { namespace: namespace.name, name: "default" };
  await namespace.client.patch(resources.context, key, { type: "merge", body });
  await namespace.create(resources.installation, root);
  await namespace.untilPhase("root", "Succeeded");
  return namespace;
}

describe("what the deletion of a deploy item needs", () => {
  it("is protected until the item is uninstalled", async () => {
    const namespace = await install("in-use");
    await untilProtected(namespace, true);
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
    await untilProtected(namespace, false);
  });

  it("stays if it is deleted before the Installation, and an Event names the item", async () => {
    const namespace = await install("deleted-first");
    await untilProtected(namespace, true);
    for (const [type, name] of credentials) await namespace.delete(type, name);
    const notes = await waitFor(async () => {
      const events = (await namespace.list(kubeResources.event)).filter(({ reason }) => reason === "InUse");
      return events.length === credentials.length ? events : undefined;
    });
    expect(notes.map(({ regarding }) => `${regarding?.kind} ${regarding?.name}`).toSorted()).toEqual([
      "Context default",
      "Secret kubeconfig",
      "Secret pull",
      "Target cluster",
    ]);
    const [item] = await namespace.list(resources.deployItem);
    expect(new Set(notes.map(({ note }) => note))).toEqual(
      new Set([
        `The deletion waits because a DeployItem needs the object: ${item?.metadata.name}. Delete the Installations that own these DeployItems.`,
      ]),
    );
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
    for (const [type, name] of credentials) {
      if (type !== resources.context) await namespace.untilGone(type, name);
    }
  });

  it("is the Secret that the Target names now", async () => {
    const namespace = await install("renamed-secret");
    await untilProtected(namespace, true);
    await namespace.create(kubeResources.secret, secretOf("renewed"));
    const key = { namespace: namespace.name, name: "cluster" };
    const body = { spec: { secretRef: { name: "renewed" } } };
    await namespace.client.patch(resources.target, key, { type: "merge", body });
    const states = async () =>
      await Promise.all(
        ["kubeconfig", "renewed"].map(async (name) => await isProtected(namespace, [kubeResources.secret, name])),
      );
    await waitFor(async () => (await states()).join() === "false,true");
  });

  it("is protected again for the next Installation", async () => {
    const namespace = await install("next");
    await untilProtected(namespace, true);
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
    await untilProtected(namespace, false);
    await namespace.create(resources.installation, root);
    await namespace.untilPhase("root", "Succeeded");
    await untilProtected(namespace, true);
  });
});

describe("the deletion of a namespace", () => {
  it("uninstalls its Installations with their Targets, and creates nothing in it", async () => {
    const namespace = await install("leaving");
    await untilProtected(namespace, true);
    const { server, client } = setUp.cluster;
    const created: string[] = [];
    server.setFault(({ verb, resource, namespace: place }) => {
      if (verb === "create" && place === namespace.name && resource !== "events") created.push(resource);
      return undefined;
    });
    await namespace.create(kubeResources.configMap, { ...secretOf("probe"), kind: "ConfigMap" });
    await client.delete(kubeResources.namespace, { name: namespace.name });
    await waitFor(async () => (await client.find(kubeResources.namespace, { name: namespace.name })) === undefined);
    server.setFault(() => undefined);
    expect(created).toEqual(["configmaps"]);
  });
});
