// A target cluster that stops serving the version under which objects were deployed. The objects are still there, in the other versions.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { createVersionedKind, type VersionedKind } from "@landscaper/testkit";
import { deleteResources, type DeletionOptions } from "./delete-resources.ts";
import { findLive, createTargetCluster } from "../cluster/target-cluster.ts";
import { detectDrift } from "../comparison/detect-drift.ts";
import { confirmInventory } from "../manifests/inventory.ts";
import type { ManagedResource } from "../manifests/manifest.ts";
import { planRemovals } from "./plan-removals.ts";
import {
  useTargetScope,
  owner,
  signal,
  clusterOf,
  server,
  client,
  cluster,
  n,
  manage,
  apply,
  entriesOf,
} from "../../test/target-scope.ts";

useTargetScope();

describe("objects whose version is no longer served", () => {
  const done = { remaining: [], waitingFor: [], awaited: [], failures: [], left: [], problems: [] };
  const remove = (entries: readonly ManagedResource[], options: Partial<DeletionOptions> = {}) =>
    deleteResources({ cluster, entries, owner, clusterOf, signal, ...options });

  /** Lids that were deployed before their version went. */
  async function deployed(...names: readonly string[]): Promise<{ kind: VersionedKind; entries: ManagedResource[] }> {
    const kind = await createVersionedKind(client, `${n}.example.org`);
    const entries = entriesOf(await apply(manage(...names.map((name) => kind.lid({ namespace: n, name })))));
    expect(entries.map(({ resource }) => resource.apiVersion)).toEqual(names.map(() => `${kind.group}/v1beta1`));
    await kind.drop();
    return { kind, entries };
  }

  function referenceOf([first]: readonly ManagedResource[]): ManagedResource["resource"] {
    if (first === undefined) throw new Error("expected an entry, found none");
    return first.resource;
  }

  it.each([
    ["one by one", 1],
    ["with a list", 5],
  ])("are deleted in another version, %s", async (_, count) => {
    const { kind, entries } = await deployed(...Array.from({ length: count }, (__, index) => `lid-${index}`));
    // A service that has just started: it has not seen the version.
    expect(await remove(entries, { cluster: createTargetCluster(client) })).toEqual(done);
    expect(await kind.names(n)).toEqual([]);
  });

  it.each([
    ["one by one", 1],
    ["with a list", 5],
  ])("are deleted by a service that has seen the version earlier, %s", async (_, count) => {
    const { kind, entries } = await deployed(...Array.from({ length: count }, (__, index) => `lid-${index}`));
    expect(await remove(entries)).toEqual(done);
    expect(await kind.names(n)).toEqual([]);
  });

  it("are deleted although their version goes between the look and the deletion", async () => {
    const kind = await createVersionedKind(client, `${n}.example.org`);
    const entries = entriesOf(await apply(manage(kind.lid({ namespace: n, name: "late" }))));
    let isDropped = false;
    const dropping: Client = {
      ...client,
      delete: async (...args) => {
        if (!isDropped) await kind.drop();
        isDropped = true;
        return await client.delete(...args);
      },
    };
    expect(await remove(entries, { cluster: createTargetCluster(dropping) })).toEqual(done);
    expect([isDropped, await kind.names(n)]).toEqual([true, []]);
  });

  it.each(["update", "patch", "apply"] as const)(
    "are applied with %s in the version that is served, by a service that has seen the other one",
    async (strategy) => {
      const { kind, entries } = await deployed("stale");
      const manifests = manage(kind.lid({ namespace: n, name: "stale" }));
      const message = `Lid ${n}/stale: the target cluster serves no kind Lid in ${kind.group}/v1beta1, but in ${kind.group}/v1`;
      // The first try finds out that the version is gone.
      const first = await apply(manifests, { inventory: entries, strategy });
      expect(first.failures).toHaveLength(1);
      const { failures } = await apply(manifests, { inventory: entries, strategy });
      expect(failures.map((failure) => failure.message)).toEqual([message]);
      const served = manage(kind.lid({ namespace: n, name: "stale" }, "v1"));
      expect((await apply(served, { inventory: entries, strategy })).failures).toEqual([]);
    },
  );

  it("lose our mark if they are kept", async () => {
    const { entries } = await deployed("kept");
    expect(await remove(entries.map((entry) => ({ ...entry, policy: "keep" as const })))).toEqual(done);
    const live = await findLive(cluster, referenceOf(entries), signal);
    expect([live?.metadata.name, live?.metadata.labels?.[owner.key]]).toEqual(["kept", undefined]);
  });

  it("are found by references in the former version", async () => {
    const { kind, entries } = await deployed("found");
    for (const target of [cluster, createTargetCluster(client)]) {
      const live = await findLive(target, referenceOf(entries), signal);
      expect(live?.apiVersion).toBe(`${kind.group}/v1`);
    }
  });

  it("are named with the version that is served when they are to be applied or compared", async () => {
    const { kind, entries } = await deployed("applied");
    const fresh = createTargetCluster(client);
    const manifests = manage(kind.lid({ namespace: n, name: "applied" }));
    const message = `Lid ${n}/applied: the target cluster serves no kind Lid in ${kind.group}/v1beta1, but in ${kind.group}/v1`;
    const { failures } = await apply(manifests, { cluster: fresh, inventory: entries });
    expect(failures).toMatchObject([
      { message, hint: `set apiVersion to ${kind.group}/v1, and adapt the fields that differ in it` },
    ]);
    const drift = await detectDrift({
      cluster: fresh,
      manifests,
      inventory: entries,
      strategy: "update",
      owner,
      signal,
    });
    expect(drift).toMatchObject({ drifts: [], failures: [{ message }] });
  });

  it("stay in the inventory while a version that the group lists does not answer", async () => {
    const { kind, entries } = await deployed("behind");
    server.setFault(({ path }) => (path === `/apis/${kind.group}/v1` ? { status: 503 } : undefined));
    const { remaining, failures } = await remove(entries, { cluster: createTargetCluster(client) });
    expect(remaining).toEqual(entries);
    expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining(`discover Lid ${n}/behind: `)]);
    server.setFault(undefined);
    expect(await kind.names(n)).toEqual(["behind"]);
  });

  it("are gone when no version of their kind is served", async () => {
    const { kind, entries } = await deployed("with-kind");
    await kind.deleteKind();
    expect(await remove(entries)).toEqual(done);
  });
});

describe("objects whose kind Kubernetes has moved out of its group", () => {
  const deployment = (name: string): UnstructuredObject => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: n },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: "c", image: "registry.example/c:1" }] },
      },
    },
  });
  const find = async (name: string) => await client.find(kubeResources.deployment, { namespace: n, name });

  /** Entries of a time when the cluster had them in the group `extensions`. */
  async function moved(name: string): Promise<ManagedResource[]> {
    const entries = entriesOf(await apply(manage(deployment(name))));
    return entries.map((entry) => ({ ...entry, resource: { ...entry.resource, apiVersion: "extensions/v1beta1" } }));
  }
  const remove = async (entries: readonly ManagedResource[]) => {
    const { left, failures } = await deleteResources({ cluster, entries, owner, clusterOf, signal });
    return { left, failures };
  };

  it("are deleted in their new group", async () => {
    expect(await remove(await moved("web"))).toEqual({ left: [], failures: [] });
    expect(await find("web")).toBeUndefined();
  });

  it("stay if another object has taken their name, or another client has removed our mark", async () => {
    const other = (await moved("other")).map((entry) => ({ ...entry, resource: { ...entry.resource, uid: "former" } }));
    expect(await remove(other)).toEqual({ left: [], failures: [] });
    expect(await find("other")).toBeDefined();
    const unmarked = await moved("unmarked");
    const body = { metadata: { labels: null, annotations: null } };
    await client.patch(kubeResources.deployment, { namespace: n, name: "unmarked" }, { type: "merge", body });
    expect(await remove(unmarked)).toEqual({ left: [`Deployment ${n}/unmarked`], failures: [] });
    expect(await find("unmarked")).toBeDefined();
  });

  it("are the same objects when the manifest names their new group", async () => {
    const inventory = await moved("renamed");
    const { applied } = await apply(manage(deployment("renamed")), { inventory });
    const left = confirmInventory(inventory, applied);
    expect(left.map(({ resource }) => resource.apiVersion)).toEqual(["apps/v1"]);
    expect(planRemovals({ inventory, manifests: manage(deployment("renamed")), groups: [], owner })).toEqual([]);
  });
});
