import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { apiVersion, resources, type DataObject, type Target } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { startEmbeddedCluster, type EmbeddedCluster, type TestNamespace } from "@landscaper/testkit";
import { fixedLister } from "../../test/listers.ts";
import { installation } from "../../test/objects.ts";
import { checkExportOwner } from "./export-objects.ts";
import { plainOwner, type ScopeObjects } from "./imports/import-copies.ts";
import { writeScope } from "./write-scope.ts";

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
});
afterAll(async () => cluster.stop());

/** Two Installations, and how the first one exports while the caches have what is `cached`. */
async function prepare(name: string) {
  const namespace: TestNamespace = await cluster.createNamespace(name);
  const make = async (own: string) =>
    namespace.create(resources.installation, installation({ name: own, blueprint: {}, annotations: {} }));
  const [root, other] = await Promise.all([make("root"), make("other")]);
  const metadataOf = (own: string, owner: typeof root) => ({
    name: own,
    namespace: name,
    ownerReferences: [plainOwner(owner)],
  });
  const created: string[] = [];
  const client: Client = {
    ...namespace.client,
    create: async (type, object, options) => {
      created.push(object.metadata.name ?? "");
      return await namespace.client.create(type, object, options);
    },
  };
  return {
    namespace,
    created,
    dataObject: (own: string, owner: "root" | "other"): DataObject => {
      const metadata = metadataOf(own, owner === "root" ? root : other);
      return { apiVersion, kind: "DataObject", metadata, data: owner };
    },
    target: (own: string, owner: "root" | "other"): Target => {
      const metadata = metadataOf(own, owner === "root" ? root : other);
      return { apiVersion, kind: "Target", metadata, spec: { type: owner } };
    },
    write: async (objects: ScopeObjects, cached: ScopeObjects) => {
      const informers = {
        dataObjects: { lister: fixedLister(cached.dataObjects) },
        targets: { lister: fixedLister(cached.targets) },
      };
      const { signal } = new AbortController();
      await writeScope({ client, informers }, { objects, check: checkExportOwner, selectedBy: "job" }, signal);
    },
  };
}

const nothing: ScopeObjects = { dataObjects: [], targets: [] };

it("an export does not overwrite an object of another Installation that the cache does not have yet", async () => {
  const { namespace, dataObject, target, write } = await prepare("scope-late");
  await namespace.create(resources.dataObject, dataObject("value", "other"));
  await namespace.create(resources.target, target("cluster", "other"));
  await expect(write({ ...nothing, dataObjects: [dataObject("value", "root")] }, nothing)).rejects.toThrow(
    'DataObject "value" belongs to installation "other" already',
  );
  await expect(write({ ...nothing, targets: [target("cluster", "root")] }, nothing)).rejects.toThrow(
    'Target "cluster" belongs to installation "other" already',
  );
  const { data } = await namespace.get(resources.dataObject, "value");
  const { spec } = await namespace.get(resources.target, "cluster");
  expect([data, spec.type]).toEqual(["other", "other"]);
});

it("exports of which one is refused are not written at all", async () => {
  const { created, dataObject, target, write } = await prepare("scope-refused");
  const free: ScopeObjects = { dataObjects: [dataObject("free", "root")], targets: [target("free", "root")] };
  const taken = dataObject("taken", "other");
  const takenTarget = target("taken", "other");
  await expect(
    write(
      { ...free, dataObjects: [...free.dataObjects, dataObject("taken", "root")] },
      { ...nothing, dataObjects: [taken] },
    ),
  ).rejects.toThrow('DataObject "taken" belongs to installation "other" already');
  await expect(
    write({ ...free, targets: [...free.targets, target("taken", "root")] }, { ...nothing, targets: [takenTarget] }),
  ).rejects.toThrow('Target "taken" belongs to installation "other" already');
  expect(created).toEqual([]);
});
