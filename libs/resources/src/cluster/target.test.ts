// Work on an embedded target cluster, over HTTPS: what the decisions become.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  kubeResources,
  LandscaperError,
  type KubeObject,
  type ReadinessRequirement,
  type UnstructuredObject,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { FaultRequest, LocalCluster } from "@landscaper/local-cluster";
import { startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { applyManifests, type ApplyOptions, type ApplyResult } from "../apply/apply-manifests.ts";
import { checkReadiness, type ReadinessOptions } from "../readiness/check-readiness.ts";
import { collectExports, type ExportOptions } from "../collect-exports.ts";
import { deleteResources, type DeletionOptions } from "../deletion/delete-resources.ts";
import { confirmInventory, planInventory } from "../manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { patchAfterDeployment } from "../apply/patch-after-deployment.ts";
import { formatResource, resourceId } from "./resource-reference.ts";
import { createTargetCluster, type TargetCluster } from "./target-cluster.ts";

const owner = {
  key: "manifest.deployer.landscaper.gardener.cloud/deployitem",
  value: "item",
  item: { namespace: "hub", name: "item", uid: "uid-of-item" },
};
const mark = { "landscaper.gardener.cloud/owned-by": "hub/item/uid-of-item" };
const { signal } = new AbortController();
const clusterOf = (): Promise<TargetCluster> => Promise.reject(new Error("no secondary target"));

let embedded: EmbeddedCluster;
let server: LocalCluster;
let client: Client;
let cluster: TargetCluster;
let requests: string[] = [];

beforeAll(async () => {
  embedded = await startEmbeddedCluster();
  ({ server, client } = embedded);
  cluster = createTargetCluster(client);
}, 30_000);
afterAll(() => embedded.stop());

let scopes = 0;
let n = "";
beforeEach(async () => {
  n = `scope-${++scopes}`;
  await embedded.createNamespace(n);
  requests = [];
  server.setFault(record);
});
afterEach(() => server.setFault(undefined));

function record({ verb, resource, name }: FaultRequest): undefined {
  if (resource !== "") requests.push(`${verb} ${resource}${name === "" ? "" : ` ${name}`}`);
}

function configMap(name: string, data: Record<string, string> = {}, metadata: object = {}): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: n, ...metadata }, data };
}

function manage(...objects: readonly UnstructuredObject[]): Manifest[] {
  return objects.map((manifest) => ({ policy: "manage", manifest }));
}

async function apply(manifests: readonly Manifest[], options: Partial<ApplyOptions> = {}): Promise<ApplyResult> {
  const inventory = planInventory(options.inventory ?? [], manifests);
  return await applyManifests({ cluster, manifests, strategy: "update", owner, signal, ...options, inventory });
}

function entriesOf({ applied }: ApplyResult): ManagedResource[] {
  return confirmInventory([], applied);
}

function find(name: string): Promise<(KubeObject & { data?: Record<string, string> }) | undefined> {
  return client.find(kubeResources.configMap, { namespace: n, name });
}

describe("applyManifests", () => {
  it("creates what is planned without reading first", async () => {
    const result = await apply(manage(configMap("a", { x: "1" })));
    expect(requests).toEqual(["create configmaps"]);
    const live = await find("a");
    expect(entriesOf(result)).toEqual([
      {
        policy: "manage",
        resource: { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: n, uid: live?.metadata.uid },
      },
    ]);
    expect(live?.metadata.labels).toEqual({ [owner.key]: "item" });
  });

  it("reads and replaces what is known", async () => {
    const first = await apply(manage(configMap("a", { x: "1" })));
    requests = [];
    await apply(manage(configMap("a", { x: "2" })), { inventory: entriesOf(first) });
    expect(requests).toEqual(["get configmaps a", "update configmaps a"]);
    expect((await find("a"))?.data).toEqual({ x: "2" });
  });

  it("reads only when nothing changes", async () => {
    const first = await apply(manage(configMap("a", { x: "1" })));
    requests = [];
    await apply(manage(configMap("a", { x: "1" })), { inventory: entriesOf(first) });
    expect(requests).toEqual(["get configmaps a"]);
  });

  it("takes over what is there although it was only planned", async () => {
    await client.create(kubeResources.configMap, configMap("a", { x: "0", foreign: "yes" }));
    requests = [];
    await apply(manage(configMap("a", { x: "1" })));
    expect(requests).toEqual(["create configmaps", "get configmaps a", "update configmaps a"]);
    expect((await find("a"))?.data).toEqual({ x: "1" });
  });

  it("creates again what somebody has deleted", async () => {
    const first = await apply(manage(configMap("a")));
    await client.delete(kubeResources.configMap, { namespace: n, name: "a" });
    requests = [];
    const second = await apply(manage(configMap("a")), { inventory: entriesOf(first) });
    expect(requests).toEqual(["get configmaps a", "create configmaps"]);
    expect(entriesOf(second)).not.toEqual(entriesOf(first));
  });

  it("goes on with the other objects when one fails, and says what failed", async () => {
    const broken = configMap("broken", { password: "sentinel-value" }, { namespace: "absent-namespace" });
    const result = await apply(manage(configMap("a"), broken, configMap("b")));
    expect(result.failures.map(({ message }) => message)).toEqual([
      'create ConfigMap absent-namespace/broken: namespaces "absent-namespace" not found',
    ]);
    expect(entriesOf(result).map(({ resource }) => resource.name)).toEqual(["a", "b"]);
  });

  it("names the object of a kind that the cluster does not serve", async () => {
    const unknown = { apiVersion: "example.org/v1", kind: "Unknown", metadata: { name: "a", namespace: n } };
    const { failures } = await apply(manage(unknown, { ...configMap("b"), kind: "ConfigMop" }));
    expect(failures.map(({ message }) => message)).toEqual([
      `Unknown ${n}/a: the target cluster serves no kind Unknown in example.org/v1`,
      `ConfigMop ${n}/b: the target cluster serves no kind ConfigMop in v1`,
    ]);
  });

  it("refuses a namespaced object without namespace before anything is sent", async () => {
    const { failures } = await apply(manage({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }));
    expect(failures.map(({ message, retry }) => [message, retry])).toEqual([
      ["ConfigMap a: metadata.namespace is missing, but kind ConfigMap is namespaced", "never"],
    ]);
    expect(requests).toEqual([]);
  });

  it("does not repeat what an earlier pass of the job has done", async () => {
    const first = await apply(manage(configMap("a")));
    requests = [];
    const second = await apply(manage(configMap("a"), configMap("b")), { applied: first.applied });
    expect(requests).toEqual(["create configmaps"]);
    expect(entriesOf(second).map(({ resource }) => resource.name)).toEqual(["a", "b"]);
  });

  it("settles a lost race by reading again", async () => {
    const first = await apply(manage(configMap("a", { x: "1" })));
    let conflicts = 2;
    server.setFault((request) => {
      record(request);
      return request.verb === "update" && conflicts-- > 0 ? { status: 409 } : undefined;
    });
    requests = [];
    const second = await apply(manage(configMap("a", { x: "2" })), { inventory: entriesOf(first) });
    expect(second.failures).toEqual([]);
    expect(requests).toEqual([1, 2, 3].flatMap(() => ["get configmaps a", "update configmaps a"]));
    expect((await find("a"))?.data).toEqual({ x: "2" });
  });

  it("stops with the reason of an abort", async () => {
    const controller = new AbortController();
    controller.abort(new Error("interrupted"));
    await expect(apply(manage(configMap("a")), { signal: controller.signal })).rejects.toThrow("interrupted");
    expect(await find("a")).toBe(undefined);
  });

  it("applies Namespaces before what they hold, whatever the order of the manifests", async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: `${n}-inner` } };
    const inside = configMap("a", {}, { namespace: `${n}-inner` });
    const clusterRole = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: n },
      rules: [],
    };
    const { failures } = await apply(manage(inside, clusterRole, namespace));
    expect(failures).toEqual([]);
    expect(requests).toEqual(["create namespaces", "create clusterroles", "create configmaps"]);
  });

  it("keeps to the limit of parallel requests", async () => {
    const many = Array.from({ length: 12 }, (_, index) => configMap(`many-${index}`));
    const result = await apply(manage(...many), { concurrency: 3 });
    expect(result.failures).toEqual([]);
    expect(result.applied.size).toBe(12);
  });
});

describe("CRDs and their objects in one set", () => {
  function crd(group: string): UnstructuredObject {
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    };
  }

  it("are deployed once the CRD is established, and deleted in reverse", async () => {
    const group = `${n}.example.org`;
    const thing = { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "a", namespace: n }, spec: { x: 1 } };
    const manifests = manage(thing, configMap("a"), crd(group));
    let result = await apply(manifests);
    for (let passes = 0; result.waitingFor.length > 0 && passes < 100; passes++) {
      expect(result.waitingFor).toEqual([`CustomResourceDefinition things.${group} to be established`]);
      result = await apply(manifests, { applied: result.applied });
    }
    expect([result.failures, result.waitingFor]).toEqual([[], []]);
    const entries = entriesOf(result);
    expect(entries.map(({ resource }) => formatResource(resource))).toEqual([
      `CustomResourceDefinition things.${group}`,
      `Thing ${n}/a`,
      `ConfigMap ${n}/a`,
    ]);
    requests = [];
    // The CRD goes once the server has removed what is left of its objects.
    let deleted = await deleteResources({ cluster, entries, owner, clusterOf, signal });
    expect(requests.at(-1)).toBe(`delete customresourcedefinitions things.${group}`);
    for (let passes = 0; deleted.waitingFor.length > 0 && passes < 100; passes++) {
      expect(deleted.waitingFor).toEqual([`CustomResourceDefinition things.${group}`]);
      deleted = await deleteResources({ cluster, entries: deleted.remaining, owner, clusterOf, signal });
    }
    expect(deleted).toEqual({ remaining: [], waitingFor: [], awaited: [], failures: [], left: [], problems: [] });
  });

  it("objects of a CRD that cannot be applied wait without a failure of their own", async () => {
    const group = `${n}.example.org`;
    const broken = crd(group);
    const thing = { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "a", namespace: n } };
    const manifests = manage(thing, { ...broken, metadata: { name: "wrong.name" } });
    const { failures, applied } = await apply(manifests);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.message).toMatch(/^create CustomResourceDefinition wrong\.name: /);
    expect([...applied.keys()]).toEqual([]);
  });
});

describe("the policies over the life of an object (A10)", () => {
  async function live(names: readonly string[]): Promise<string[]> {
    const found = await Promise.all(names.map((name) => find(name)));
    return names.filter((_, index) => found[index] !== undefined);
  }

  it("create, relabel, update, delete", async () => {
    const names = ["manage", "fallback", "keep", "ignore", "immutable"] as const;
    const manifests = (value: string): Manifest[] =>
      names.map((policy) => ({ policy, manifest: configMap(policy, { value }) }));
    const first = await apply(manifests("1"));
    expect(await live(names)).toEqual(["manage", "fallback", "keep", "immutable"]);
    for (const name of await live(names)) {
      const body = { metadata: { labels: { [owner.key]: "other" } } };
      await client.patch(kubeResources.configMap, { namespace: n, name }, { type: "merge", body });
    }
    const second = await apply(manifests("2"), { inventory: entriesOf(first) });
    expect(entriesOf(second).map(({ policy }) => policy)).toEqual(["immutable", "keep", "manage"]);
    const values = await Promise.all(names.map(async (name) => (await find(name))?.data?.["value"]));
    expect(values).toEqual(["2", "1", "2", undefined, "1"]);
    const inventory = confirmInventory(planInventory(entriesOf(first), manifests("2")), second.applied);
    const deleted = await deleteResources({ cluster, entries: inventory, owner, clusterOf, signal });
    expect(deleted).toEqual({ remaining: [], waitingFor: [], awaited: [], failures: [], left: [], problems: [] });
    expect(await live(names)).toEqual(["fallback", "keep"]);
  });
});

describe("the strategies on a changed object (A11)", () => {
  it.each([
    ["update", { key: "new" }, { app: "new" }, undefined],
    ["patch", { key: "new" }, { app: "new" }, undefined],
    ["merge", { key: "old", added: "outside" }, { app: "old" }, { note: "outside" }],
    ["mergeOverwrite", { key: "new", added: "outside" }, { app: "new" }, { note: "outside" }],
  ] as const)("%s", async (...[strategy, data, labels, annotations]) => {
    const object = (value: string): UnstructuredObject => configMap("a", { key: value }, { labels: { app: value } });
    const first = await apply(manage(object("old")));
    const outside = {
      data: { added: "outside" },
      metadata: { annotations: { note: "outside" }, labels: { [owner.key]: null } },
    };
    await client.patch(kubeResources.configMap, { namespace: n, name: "a" }, { type: "merge", body: outside });
    const second = await apply(manage(object("new")), { inventory: entriesOf(first), strategy });
    expect(second.failures).toEqual([]);
    const live = await find("a");
    expect(live?.data).toEqual(data);
    expect(live?.metadata.labels).toEqual({ ...labels, [owner.key]: "item" });
    expect(live?.metadata.annotations).toEqual({ ...annotations, ...mark });
  });
});

describe("deleteResources", () => {
  async function deployed(...manifests: readonly Manifest[]): Promise<ManagedResource[]> {
    const entries = entriesOf(await apply(manifests));
    requests = [];
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
    requests = [];
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

describe("checkReadiness", () => {
  const check = async (entries: readonly ManagedResource[], options: Partial<ReadinessOptions> = {}) =>
    (await checkReadiness({ cluster, entries, checks: undefined, clusterOf, signal, ...options })).unready;

  it("wants every managed object to exist", async () => {
    const entries = entriesOf(await apply(manage(configMap("a"), configMap("b"))));
    expect(await check(entries)).toEqual([]);
    await client.delete(kubeResources.configMap, { namespace: n, name: "a" });
    expect(await check(entries)).toEqual([`ConfigMap ${n}/a: does not exist`]);
  });

  it("reads nothing that was just received or found ready before", async () => {
    const result = await apply(manage(configMap("a")));
    const fresh = new Map([...result.applied].map(([id, { live }]) => [id, live]));
    const ready = new Set<string>();
    requests = [];
    expect(await check(entriesOf(result), { fresh, ready })).toEqual([]);
    expect(await check(entriesOf(result), { ready })).toEqual([]);
    expect(requests).toEqual([]);
    expect([...ready]).toEqual(entriesOf(result).map(({ resource }) => resourceId(resource)));
  });

  it("evaluates workloads", async () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: n },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const entries = entriesOf(await apply(manage(pod)));
    expect(await check(entries)).toEqual([`Pod ${n}/p: has no Ready condition yet`]);
    const live = await client.get(kubeResources.pod, { namespace: n, name: "p" });
    const conditions = [{ type: "Ready", status: "True" }];
    await client.updateStatus(kubeResources.pod, { ...live, status: { ...live.status, conditions } });
    expect(await check(entries)).toEqual([]);
  });

  it("tells a forbidden read from not ready", async () => {
    const entries = entriesOf(await apply(manage(configMap("a"))));
    server.setFault(({ verb }) => (verb === "get" ? { status: 403 } : undefined));
    const error = await check(entries).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LandscaperError);
    expect(error).toMatchObject({ reason: "TargetForbidden" });
  });

  it("runs custom checks on objects by name and by labels, managed or not (A5)", async () => {
    await client.create(kubeResources.configMap, configMap("a", { key: "value" }, { labels: { app: n } }));
    const requirements: ReadinessRequirement[] = [
      { jsonPath: ".data.key", operator: "==", values: [{ value: "value" }] },
    ];
    const byName = {
      name: "by name",
      resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: n }],
      requirements,
    };
    const byLabel = {
      name: "by label",
      labelSelector: { apiVersion: "v1", kind: "ConfigMap", matchLabels: { app: n } },
      requirements,
    };
    expect(await check([], { checks: { custom: [byName, byLabel] } })).toEqual([]);

    await client.create(kubeResources.configMap, configMap("b", { key: "other" }, { labels: { app: n } }));
    expect(await check([], { checks: { custom: [byName, byLabel] } })).toEqual([
      `check by label: ConfigMap ${n}/b: .data.key does not fulfil "=="`,
    ]);
    expect(await check([], { checks: { custom: [{ ...byLabel, disabled: true }] } })).toEqual([]);
  });

  it("takes missing objects for not ready, and an object that went away does not block", async () => {
    const requirements: ReadinessRequirement[] = [{ jsonPath: ".data.key", operator: "exists" }];
    const byName = {
      name: "one",
      resourceSelector: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: n }],
      requirements,
    };
    const byLabel = {
      name: "two",
      labelSelector: { apiVersion: "v1", kind: "ConfigMap", matchLabels: { app: n } },
      requirements,
    };
    expect(await check([], { checks: { custom: [byName, byLabel] } })).toEqual([
      `check one: ConfigMap ${n}/a does not exist`,
      "check two: no ConfigMap has its labels",
    ]);
    await client.create(kubeResources.configMap, configMap("bad", {}, { labels: { app: n } }));
    await client.create(kubeResources.configMap, configMap("a", { key: "1" }, { labels: { app: n } }));
    expect(await check([], { checks: { custom: [byLabel] } })).toEqual([
      `check two: ConfigMap ${n}/bad: .data.key does not fulfil "exists"`,
    ]);
    await client.delete(kubeResources.configMap, { namespace: n, name: "bad" });
    expect(await check([], { checks: { custom: [byLabel] } })).toEqual([]);
  });

  it("runs only custom checks when the default is off", async () => {
    const missing = [{ resource: { apiVersion: "v1", kind: "ConfigMap", name: "missing", namespace: n } }];
    expect(await check(missing, { checks: { disableDefault: true } })).toEqual([]);
  });

  it("looks into a secondary target", async () => {
    const requirements: ReadinessRequirement[] = [{ jsonPath: ".data.key", operator: "exists" }];
    await client.create(kubeResources.configMap, configMap("a", { key: "1" }));
    const resourceSelector = [{ apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: n }];
    const asked: string[] = [];
    const unready = await check([], {
      checks: { custom: [{ name: "far", resourceSelector, requirements, targetName: "other" }] },
      clusterOf: (name) => {
        asked.push(name);
        return Promise.resolve(cluster);
      },
    });
    expect([unready, asked]).toEqual([[], ["other"]]);
  });
});

describe("collectExports", () => {
  const collect = (exports: ExportOptions["exports"], options: Partial<ExportOptions> = {}) =>
    collectExports({ cluster, exports, clusterOf, signal, ...options });
  const from = (name: string, kind = "ConfigMap") => ({ apiVersion: "v1", kind, name, namespace: n });

  it("takes values as they are and nests dotted keys, later entries win", async () => {
    await client.create(kubeResources.configMap, configMap("a", { x: "1", y: "", z: "3" }));
    const exports = [
      { key: "one", jsonPath: "data.x", fromResource: from("a") },
      { key: "deep.one", jsonPath: ".data.x", fromResource: from("a") },
      { key: "deep.two", jsonPath: ".data.z", fromResource: from("a") },
      { key: "one", jsonPath: ".data.y", fromResource: from("a") },
      { key: "all", jsonPath: ".data", fromResource: from("a") },
      { key: "skipped", jsonPath: ".data.x" },
    ];
    expect(await collect(exports)).toEqual({
      type: "complete",
      values: { one: "", deep: { one: "1", two: "3" }, all: { x: "1", y: "", z: "3" } },
      sensitive: [],
    });
  });

  it("reads nothing that was just received, unless the value is not there yet", async () => {
    const result = await apply(manage(configMap("a", { x: "1" })));
    const fresh = new Map([...result.applied].map(([id, { live }]) => [id, live]));
    requests = [];
    await collect([{ key: "k", jsonPath: ".data.x", fromResource: from("a") }], { fresh });
    expect(requests).toEqual([]);
    await client.patch(
      kubeResources.configMap,
      { namespace: n, name: "a" },
      { type: "merge", body: { data: { later: "2" } } },
    );
    expect(await collect([{ key: "k", jsonPath: ".data.later", fromResource: from("a") }], { fresh })).toEqual({
      type: "complete",
      values: { k: "2" },
      sensitive: [],
    });
  });

  it.each([
    ["an object", ".data.x", "missing", "ConfigMap %s/missing does not exist"],
    ["a field", ".data.missing", "a", "ConfigMap %s/a has no .data.missing"],
    [
      "a match of a filter",
      '.metadata.managedFields[?(@.manager=="x")].time',
      "a",
      'ConfigMap %s/a has no .metadata.managedFields[?(@.manager=="x")].time',
    ],
  ])("waits for %s", async (...[_name, jsonPath, name, message]) => {
    await client.create(kubeResources.configMap, configMap("a", { x: "1" }));
    const found = await collect([
      { key: "there", jsonPath: ".data.x", fromResource: from("a") },
      { key: "the.key", jsonPath, fromResource: from(name) },
    ]);
    const absent = name === "missing" ? resourceId(from(name)) : undefined;
    const awaited = [{ cluster, ...from(name) }];
    expect(found).toEqual({ type: "missing", key: "the.key", message: message.replace("%s", n), awaited, absent });
  });

  it("follows a reference, by default within the namespace (A14)", async () => {
    const account = {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "sa", namespace: n },
      secrets: [{ name: "s" }],
    };
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", namespace: n },
      data: { token: "c2VjcmV0" },
    };
    await client.create(kubeResources.serviceAccount, account);
    const exports = [
      {
        key: "token",
        jsonPath: ".secrets[0]",
        fromResource: from("sa", "ServiceAccount"),
        fromObjectRef: { apiVersion: "v1", kind: "Secret", jsonPath: ".data.token" },
      },
    ];
    expect(await collect(exports)).toMatchObject({
      type: "missing",
      message: `Secret ${n}/s does not exist`,
      awaited: [
        { kind: "ServiceAccount", name: "sa" },
        { kind: "Secret", name: "s" },
      ],
    });
    await client.create(kubeResources.secret, secret);
    expect(await collect(exports)).toEqual({
      type: "complete",
      values: { token: "c2VjcmV0" },
      sensitive: ["/token"],
    });
  });

  it("does not take anything for a reference", async () => {
    await client.create(kubeResources.configMap, configMap("a", { x: "1" }));
    const exports = [
      {
        key: "k",
        jsonPath: ".data.x",
        fromResource: from("a"),
        fromObjectRef: { apiVersion: "v1", kind: "Secret", jsonPath: ".data.token" },
      },
    ];
    expect(await collect(exports)).toEqual({
      type: "missing",
      key: "k",
      message: `ConfigMap ${n}/a: .data.x is no reference with a name`,
      awaited: [{ cluster, ...from("a") }],
    });
  });
});

describe("patchAfterDeployment", () => {
  it("merges the patch over what is managed, once", async () => {
    const [manifest] = manage(configMap("a", { x: "1" }));
    const manifests = [{ ...manifest!, patchAfterDeployment: { data: { x: "2", y: "3" } } }];
    const { applied } = await apply(manifests);
    await patchAfterDeployment({ cluster, manifests, applied, signal });
    expect((await find("a"))?.data).toEqual({ x: "2", y: "3" });
    requests = [];
    await patchAfterDeployment({ cluster, manifests, applied, signal });
    expect(requests).toEqual(["get configmaps a"]);
  });

  it("leaves what a fallback has released alone", async () => {
    await client.create(kubeResources.configMap, configMap("a", { x: "0" }, { labels: { [owner.key]: "other" } }));
    const [manifest] = manage(configMap("a"));
    const manifests = [{ ...manifest!, policy: "fallback" as const, patchAfterDeployment: { data: { x: "2" } } }];
    const { applied } = await apply(manifests);
    await patchAfterDeployment({ cluster, manifests, applied, signal });
    expect((await find("a"))?.data).toEqual({ x: "0" });
  });

  it("names the object that is gone", async () => {
    const [manifest] = manage(configMap("a"));
    const manifests = [{ ...manifest!, patchAfterDeployment: { data: { x: "2" } } }];
    const { applied } = await apply(manifests);
    await client.delete(kubeResources.configMap, { namespace: n, name: "a" });
    await expect(patchAfterDeployment({ cluster, manifests, applied, signal })).rejects.toThrow(
      `patch ConfigMap ${n}/a: configmaps "a" not found`,
    );
  });
});
