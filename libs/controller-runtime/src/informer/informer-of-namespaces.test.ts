import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type ConfigMap, type KubeObject } from "@landscaper/api";
import { createTestLogger, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import { createManager } from "../create-manager.ts";
import type { Client } from "../client/client-interface.ts";
import { createClient } from "../client/create-client.ts";
import { connectionFromKubeconfig } from "../client/connection/connection-from-kubeconfig.ts";

const type = kubeResources.configMap;
const rbac = "rbac.authorization.k8s.io";
let cluster: EmbeddedCluster;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ authorization: "rbac" });
  for (const name of ["one", "two", "other"]) await cluster.createNamespace(name);
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch", "update", "delete"] }];
  const role = { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name: "maps" }, rules };
  await cluster.client.create(kubeResources.clusterRole, role);
});
const clients: Client[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await cluster.stop();
});

function connectReader(): Client {
  const connection = connectionFromKubeconfig(cluster.server.kubeconfigFor({ name: "reader" }));
  const client = createClient({ connection, userAgent: "reader" });
  clients.push(client);
  return client;
}

/** Each namespace has a ConfigMap of its own. */
const ours = { labelSelector: "test=yes" };
const bindingType = kubeResources.roleBinding;
async function allow(namespace: string): Promise<void> {
  await cluster.client.create(bindingType, {
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    metadata: { namespace, name: "reader" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "maps" },
    subjects: [{ apiGroup: rbac, kind: "User", name: "reader" }],
  });
}
const put = (namespace: string, name: string, client: Client = cluster.client): Promise<ConfigMap> =>
  client.create(type, { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name, labels: { test: "yes" } } });

describe("a manager of some namespaces", () => {
  it("sees what is in these, also in one that comes later", async () => {
    await allow("one");
    await allow("two");
    for (const namespace of ["one", "two", "other"]) await put(namespace, "first");
    const log = createTestLogger();
    const client = connectReader();
    const manager = createManager({ name: "some", client, log, namespaces: ["one", "two", "later"] });
    const informer = manager.informer(type, { ...ours, indexes: { name: ({ metadata }) => [metadata.name ?? ""] } });
    const news: string[] = [];
    const tell = (what: string) => (object: KubeObject) => {
      news.push(`${what} ${object.metadata.namespace}/${object.metadata.name}`);
    };
    informer.addHandler({ onAdd: tell("add"), onDelete: tell("delete") });
    const stop = new AbortController();
    const running = manager.start(stop.signal);
    await informer.waitForSync(stop.signal);
    const { lister } = informer;
    const names = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.namespace ?? "");
    expect(names(lister.list()).toSorted()).toEqual(["one", "two"]);
    expect(names(lister.list({ namespace: "two" }))).toEqual(["two"]);
    expect(names(lister.list({ namespace: "other" }))).toEqual([]);
    expect(names(lister.byIndex("name", "first")).toSorted()).toEqual(["one", "two"]);
    expect(lister.get({ namespace: "one", name: "first" })?.metadata.namespace).toBe("one");
    expect(lister.get({ namespace: "other", name: "first" })).toBeUndefined();
    // Own writes are read at once.
    const first = lister.get({ namespace: "one", name: "first" });
    await manager.client.update(type, { ...structuredClone(first as ConfigMap), data: { a: "b" } });
    expect(lister.get({ namespace: "one", name: "first" })).toMatchObject({ data: { a: "b" } });
    await cluster.createNamespace("later");
    await put("later", "second");
    await allow("later");
    await waitFor(() => lister.get({ namespace: "later", name: "second" }) !== undefined);
    await manager.client.delete(type, { namespace: "one", name: "first" });
    expect(lister.get({ namespace: "one", name: "first" })).toBeUndefined();
    expect(news.toSorted()).toEqual(["add later/second", "add one/first", "add two/first", "delete one/first"]);
    expect(log.lines.filter(({ level }) => level === "warn")).toEqual([]);
    stop.abort(new Error("the test ends"));
    await running;
  });

  it("forgets what is in a namespace that it may not read any more", async () => {
    await cluster.createNamespace("closed");
    await allow("closed");
    await put("closed", "first");
    const manager = createManager({
      name: "some",
      client: connectReader(),
      log: createTestLogger(),
      namespaces: ["closed"],
    });
    const informer = manager.informer(type, ours);
    const { lister } = informer;
    const stop = new AbortController();
    const running = manager.start(stop.signal);
    await informer.waitForSync(stop.signal);
    expect(lister.list()).toHaveLength(1);
    await cluster.client.delete(bindingType, { namespace: "closed", name: "reader" });
    cluster.server.cutWatches();
    await waitFor(() => lister.list().length === 0);
    expect(informer.hasSynced).toBe(true);
    stop.abort(new Error("the test ends"));
    await running;
  });
});
