import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { KubeObject, ResourceType, Right } from "@landscaper/api";
import { installCrds, startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { connectionFromKubeconfig } from "../client/connection/connection-from-kubeconfig.ts";
import { createClient } from "../client/create-client.ts";
import type { Client } from "../client/client-interface.ts";
import { demandKinds } from "./demand-kinds.ts";
import { demandRights } from "./demand-rights.ts";

const cluster = "the landscaper cluster";
const apiGroup = "rbac.authorization.k8s.io";
const right = (group: string, resource: string, verbs: readonly string[]): Right => ({
  group,
  resources: [resource],
  verbs,
  why: "",
});
const secrets = right("", "secrets", ["get", "create"]);
const leases = right("coordination.k8s.io", "leases", ["get"]);
const { signal } = new AbortController();

let embedded: EmbeddedCluster;
const clients: Client[] = [];
beforeAll(async () => {
  embedded = await startEmbeddedCluster({ authorization: "rbac" });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await embedded.stop();
});

function login(name: string): Client {
  const connection = connectionFromKubeconfig(embedded.server.kubeconfigFor({ name }));
  const client = createClient({ connection, userAgent: "test" });
  clients.push(client);
  return client;
}

/** In one namespace, or in all of them. */
async function grant(user: string, rights: readonly Right[], namespace?: string): Promise<void> {
  const prefix = namespace === undefined ? "Cluster" : "";
  const create = async (kind: string, fields: object): Promise<void> => {
    const plural = `${kind.toLowerCase()}s`;
    const type: ResourceType = { group: apiGroup, version: "v1", kind, plural, namespaced: namespace !== undefined };
    const metadata = { name: user, ...(namespace === undefined ? {} : { namespace }) };
    const object: KubeObject = { apiVersion: `${apiGroup}/v1`, kind, metadata, ...fields };
    await embedded.client.create(type, object);
  };
  const rules = rights.map(({ group, resources, verbs }) => ({ apiGroups: [group], resources, verbs }));
  await create(`${prefix}Role`, { rules });
  await create(`${prefix}RoleBinding`, {
    roleRef: { apiGroup, kind: `${prefix}Role`, name: user },
    subjects: [{ apiGroup, kind: "User", name: user }],
  });
}

describe("the rights of a process", () => {
  it("are named with verb, resource, and the user that the server takes it for, where they are missing", async () => {
    await grant("half", [right("", "secrets", ["get"])]);
    const client = login("half");
    const demands = [
      { client, cluster, rights: [secrets] },
      { client, cluster, namespace: "default", rights: [leases] },
    ];
    await expect(demandRights(demands, signal)).rejects.toMatchObject({
      reason: "RightsMissing",
      message:
        "user half lacks rights on the landscaper cluster: create secrets. " +
        "user half lacks rights in namespace default of the landscaper cluster: get leases (coordination.k8s.io)",
      hint: "docs/reference/rights.md has the rules; the service begins as soon as they are granted",
    });
  });

  it("are enough when each is granted, and one request finds that out", async () => {
    await grant("whole", [secrets]);
    let asked = 0;
    const client = login("whole");
    const counting: Pick<Client, "request"> = {
      request: async (options) => {
        asked++;
        return await client.request(options);
      },
    };
    await demandRights([{ client: counting, cluster, rights: [secrets] }], signal);
    expect(asked).toBe(1);
  });

  it("in one namespace do not stand for those in all", async () => {
    await grant("local", [secrets], "default");
    const client = login("local");
    await demandRights([{ client, cluster, namespace: "default", rights: [secrets] }], signal);
    await expect(demandRights([{ client, cluster, rights: [secrets] }], signal)).rejects.toMatchObject({
      message: "user local lacks rights on the landscaper cluster: get, create secrets",
    });
  });

  it("are asked for one by one where the server cannot list them", async () => {
    await grant("unlisted", [right("", "secrets", ["get"])]);
    embedded.server.setFault(({ path }) => (path.endsWith("rulesreviews") ? { status: 403 } : undefined));
    const failing = demandRights([{ client: login("unlisted"), cluster, rights: [secrets] }], signal);
    await expect(failing).rejects.toMatchObject({
      message: "user unlisted lacks rights on the landscaper cluster: create secrets",
    });
    embedded.server.setFault(undefined);
  });

  it("count as given where the server lets nobody ask: the requests themselves will tell", async () => {
    embedded.server.setFault(({ path }) => (path.endsWith("reviews") ? { status: 403 } : undefined));
    await demandRights([{ client: login("nobody"), cluster, rights: [secrets] }], signal);
    embedded.server.setFault(undefined);
  });
});

describe("the kinds of Landscaper", () => {
  const items = right("landscaper.gardener.cloud", "deployitems", ["get"]);
  const status = right("landscaper.gardener.cloud", "deployitems/status", ["update"]);
  const demand = { cluster, rights: [items, status, secrets] };

  it("are missing where Landscaper is not installed", async () => {
    await expect(demandKinds({ ...demand, client: login("anyone") }, signal)).rejects.toMatchObject({
      reason: "KindsNotServed",
      message: "the Landscaper is not installed on the landscaper cluster: it does not serve landscaper.gardener.cloud",
      hint: expect.stringMatching(/^apply crds\/ of release [\d.]+, or start landscaper-core of this release with/),
    });
  });

  it("are needed in the version of this release, each with its subresources", async () => {
    const crd = (plural: string, kind: string, version: string) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.landscaper.gardener.cloud` },
      spec: {
        group: "landscaper.gardener.cloud",
        scope: "Namespaced",
        names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
        versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    const type: ResourceType = {
      group: "apiextensions.k8s.io",
      version: "v1",
      kind: "CustomResourceDefinition",
      plural: "customresourcedefinitions",
      namespaced: false,
    };
    const client = login("reader");
    await embedded.client.create(type, crd("installations", "Installation", "v1beta1"));
    await expect(demandKinds({ ...demand, client }, signal)).rejects.toMatchObject({
      message:
        "the landscaper cluster has CustomResourceDefinitions of another version: expected landscaper.gardener.cloud/v1alpha1, found v1beta1",
    });
    await embedded.client.create(type, crd("deployitems", "DeployItem", "v1alpha1"));
    await expect(demandKinds({ ...demand, client }, signal)).rejects.toMatchObject({
      message: "the landscaper cluster does not serve deployitems/status of landscaper.gardener.cloud/v1alpha1",
    });
    await installCrds(embedded.client);
    await demandKinds({ ...demand, client }, signal);
  });
});
