// The calls of a deploy item on a target cluster: applying its manifests.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { deleteResources } from "../deletion/delete-resources.ts";
import { confirmInventory, planInventory } from "../manifests/inventory.ts";
import type { Manifest } from "../manifests/manifest.ts";
import { patchAfterDeployment } from "./patch-after-deployment.ts";
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
  record,
  configMap,
  manage,
  apply,
  entriesOf,
  find,
  setRequests,
} from "../../test/target-scope.ts";

useTargetScope();

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
    setRequests([]);
    await apply(manage(configMap("a", { x: "2" })), { inventory: entriesOf(first) });
    expect(requests).toEqual(["get configmaps a", "update configmaps a"]);
    expect((await find("a"))?.data).toEqual({ x: "2" });
  });

  it("reads only when nothing changes", async () => {
    const first = await apply(manage(configMap("a", { x: "1" })));
    setRequests([]);
    await apply(manage(configMap("a", { x: "1" })), { inventory: entriesOf(first) });
    expect(requests).toEqual(["get configmaps a"]);
  });

  it("takes over what is there although it was only planned", async () => {
    await client.create(kubeResources.configMap, configMap("a", { x: "0", foreign: "yes" }));
    setRequests([]);
    await apply(manage(configMap("a", { x: "1" })));
    expect(requests).toEqual(["create configmaps", "get configmaps a", "update configmaps a"]);
    expect((await find("a"))?.data).toEqual({ x: "1" });
  });

  it("creates again what somebody has deleted", async () => {
    const first = await apply(manage(configMap("a")));
    await client.delete(kubeResources.configMap, { namespace: n, name: "a" });
    setRequests([]);
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
    setRequests([]);
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
    setRequests([]);
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
    setRequests([]);
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

describe("patchAfterDeployment", () => {
  it("merges the patch over what is managed, once", async () => {
    const [manifest] = manage(configMap("a", { x: "1" }));
    const manifests = [{ ...manifest!, patchAfterDeployment: { data: { x: "2", y: "3" } } }];
    const { applied } = await apply(manifests);
    await patchAfterDeployment({ cluster, manifests, applied, signal });
    expect((await find("a"))?.data).toEqual({ x: "2", y: "3" });
    setRequests([]);
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
