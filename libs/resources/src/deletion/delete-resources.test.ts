// The calls of a deploy item on a target cluster: deleting what it manages.
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { deleteResources, type DeletionOptions } from "./delete-resources.ts";
import { planInventory } from "../manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { formatResource } from "../cluster/resource-reference.ts";
import {
  useTargetScope,
  owner,
  mark,
  signal,
  clusterOf,
  server,
  client,
  cluster,
  requests,
  n,
  configMap,
  manage,
  apply,
  entriesOf,
  find,
  setRequests,
} from "../../test/target-scope.ts";

useTargetScope();

describe("deleteResources", () => {
  async function deployed(...manifests: readonly Manifest[]): Promise<ManagedResource[]> {
    const entries = entriesOf(await apply(manifests));
    setRequests([]);
    return entries;
  }
  const remove = (entries: readonly ManagedResource[], options: Partial<DeletionOptions> = {}) =>
    deleteResources({ cluster, entries, owner, clusterOf, signal, ...options });
  const done = { remaining: [], waitingFor: [], awaited: [], failures: [], left: [], problems: [] };

  it("looks at objects, and deletes them", async () => {
    const entries = await deployed(...manage(configMap("a"), configMap("b")));
    expect(await remove(entries)).toEqual(done);
    const each = ["a", "b"].flatMap((name) => [`delete configmaps ${name}`, `get configmaps ${name}`]);
    expect(requests.toSorted()).toEqual(each.toSorted());
  });

  it("looks at many of a kind with one list", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const entries = await deployed(...manage(...names.map((name) => configMap(name))));
    const body = { metadata: { labels: { [owner.key]: "strange" } } };
    await client.patch(kubeResources.configMap, { namespace: n, name: "e" }, { type: "merge", body });
    setRequests([]);
    expect(await remove(entries)).toEqual(done);
    const deleted = names.map((name) => `delete configmaps ${name}`);
    expect(requests.toSorted()).toEqual([...deleted, "get configmaps e", "list configmaps"]);
    const { items } = await client.list(kubeResources.configMap, { namespace: n });
    expect(items.filter(({ metadata }) => names.includes(metadata.name ?? ""))).toEqual([]);
  });

  it("looks at each where it may not list", async () => {
    const entries = await deployed(...manage(...["a", "b", "c", "d"].map((name) => configMap(name))));
    server.setFault(({ verb }) => (verb === "list" ? { status: 403 } : undefined));
    expect(await remove(entries)).toEqual(done);
    expect(await find("a")).toBe(undefined);
  });

  it("is done with what is gone already, and with kinds that are gone", async () => {
    const gone = { apiVersion: "v1", kind: "ConfigMap", name: "gone", namespace: n, uid: "u" };
    const kindless = { apiVersion: "gone.example.org/v1", kind: "Thing", name: "a", namespace: n, uid: "u" };
    expect(await remove([{ resource: gone }, { resource: kindless }])).toEqual(done);
  });

  it("removes a planned object only if it bears our label", async () => {
    await client.create(kubeResources.configMap, configMap("foreign"));
    await client.create(kubeResources.configMap, configMap("ours", {}, { labels: { [owner.key]: "item" } }));
    const planned = planInventory([], manage(configMap("foreign"), configMap("ours"), configMap("never")));
    expect(await remove(planned)).toEqual({ ...done, left: [`ConfigMap ${n}/foreign`] });
    expect([(await find("foreign"))?.metadata.name, await find("ours")]).toEqual(["foreign", undefined]);
  });

  it("leaves an object that somebody else has put in the place of ours", async () => {
    const entries = await deployed(...manage(configMap("a")));
    await client.delete(kubeResources.configMap, { namespace: n, name: "a" });
    await client.create(kubeResources.configMap, configMap("a", { theirs: "yes" }));
    expect(await remove(entries)).toEqual({ ...done, left: [`ConfigMap ${n}/a`] });
    expect((await find("a"))?.data).toEqual({ theirs: "yes" });
  });

  it("comes back for what finalizers keep, and lets the next group wait", async () => {
    const held = configMap("held", {}, { finalizers: ["example.org/hold"] });
    const clusterRole = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: n },
      rules: [],
    };
    const entries = await deployed(...manage(held, configMap("free"), clusterRole));
    const first = await remove(entries);
    expect(first.waitingFor).toEqual([`ConfigMap ${n}/held`]);
    expect(first.remaining.map(({ resource }) => formatResource(resource)).toSorted()).toEqual([
      `ClusterRole ${n}`,
      `ConfigMap ${n}/held`,
    ]);
    const body = { metadata: { finalizers: null } };
    await client.patch(kubeResources.configMap, { namespace: n, name: "held" }, { type: "merge", body });
    expect(await remove(first.remaining)).toEqual(done);
    expect(requests.at(-1)).toBe(`delete clusterroles ${n}`);
  });

  it("takes finalizers off where a group says so", async () => {
    const entries = await deployed(...manage(configMap("held", {}, { finalizers: ["example.org/hold"] })));
    const groups = [{ predefinedResourceGroup: { type: "namespaced-resources", forceDelete: true } }] as const;
    expect(await remove(entries, { groups })).toEqual(done);
    expect(await find("held")).toBe(undefined);
  });

  it("annotates and patches first (A12)", async () => {
    const [manifest] = manage(configMap("held", {}, { finalizers: ["example.org/hold"] }));
    const hooks = { annotateBeforeDelete: { going: "yes" }, patchBeforeDelete: { data: { patched: "yes" } } };
    const entries = await deployed({ ...manifest!, ...hooks, annotateBeforeCreate: { made: "yes" } });
    expect((await remove(entries)).waitingFor).toEqual([`ConfigMap ${n}/held`]);
    const live = await find("held");
    expect(live?.metadata.annotations).toEqual({ made: "yes", going: "yes", ...mark });
    expect(live?.data).toEqual({ patched: "yes" });
    expect(live?.metadata.deletionTimestamp).toEqual(expect.any(String));
  });

  it("says what the server refuses, and goes on with the rest of the group", async () => {
    const entries = await deployed(...manage(configMap("a"), configMap("b")));
    server.setFault(({ verb, name }) => (verb === "delete" && name === "a" ? { status: 403 } : undefined));
    const result = await remove(entries);
    expect(result.failures).toHaveLength(1);
    expect(result.failures[0]?.message).toMatch(new RegExp(`^delete ConfigMap ${n}/a: `));
    expect(result.remaining.map(({ resource }) => resource.name)).toEqual(["a"]);
    expect(await find("b")).toBe(undefined);
  });

  it("abandons what no group selects, once the rest is gone", async () => {
    const entries = await deployed(...manage(configMap("a"), configMap("b")));
    const groups = [{ customResourceGroup: { resources: [{ apiVersion: "v1", kind: "ConfigMap", names: ["a"] }] } }];
    expect(await remove(entries, { groups })).toEqual(done);
    expect([await find("a"), (await find("b"))?.metadata.name]).toEqual([undefined, "b"]);
  });

  it("deletes all objects that a group selects, managed or not, but nothing when nothing is managed", async () => {
    const entries = await deployed(...manage(configMap("a")));
    await client.create(kubeResources.secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", namespace: n },
    });
    const everySecret = {
      resources: [{ apiVersion: "v1", kind: "Secret", namespaces: [n] }],
      deleteAllResources: true,
    };
    const groups = [
      { customResourceGroup: everySecret },
      { predefinedResourceGroup: { type: "namespaced-resources" } },
    ] as const;
    expect(await remove([], { groups })).toEqual(done);
    expect(await client.find(kubeResources.secret, { namespace: n, name: "s" })).toBeDefined();
    expect(await remove(entries, { groups })).toEqual(done);
    expect(await client.find(kubeResources.secret, { namespace: n, name: "s" })).toBe(undefined);
    expect(await find("a")).toBe(undefined);
  });
});
