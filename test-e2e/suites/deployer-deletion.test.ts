// Deletion groups, orphans and the deletion of items (deployers.md §3.5, A15, A20, items 1, 34-38).
import { describe, expect, it } from "@jest/globals";
import type { ResourceType, UnstructuredObject } from "@landscaper/api";
import { annotations, kubeResources, resources } from "@landscaper/api";
import { listInventory } from "@landscaper/deployer/testing";
import { waitFor } from "@landscaper/testkit";
import type { ItemScope } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const held = { finalizers: ["example.org/hold"] };
const configMaps = (more: object = {}) => ({ apiVersion: "v1", kind: "ConfigMap", ...more });
const custom = (...selected: readonly object[]) => ({ customResourceGroup: { resources: selected } });
const predefined = (type: string) => ({ predefinedResourceGroup: { type } });

/** A kind of the scope's own, with an object of it. */
function customKind({ place }: ItemScope): {
  readonly crd: UnstructuredObject;
  readonly object: UnstructuredObject;
  readonly type: ResourceType<UnstructuredObject>;
} {
  const group = `${place}.example.org`;
  const type = { group, version: "v1", kind: "Thing", plural: "things", namespaced: true };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const crd = {
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
  const metadata = { name: "thing", namespace: place };
  return { crd, type, object: { apiVersion: `${group}/v1`, kind: "Thing", metadata } };
}

describe.each(clustersUnderTest())("deletion on %s", (cluster) => {
  const suite = useManifestDeployer({ cluster });
  const hasCrd = async (crd: UnstructuredObject): Promise<boolean> => {
    const key = { name: crd.metadata.name ?? "" };
    return (await suite.environment.targetClient.find(kubeResources.customResourceDefinition, key)) !== undefined;
  };
  const release = async (scope: ItemScope, name: string) => scope.edit(name, { metadata: { finalizers: null } });
  /** Which of these ConfigMaps are there and not going. */
  const left = async (scope: ItemScope, ...names: string[]) => {
    const found = await Promise.all(names.map(async (name) => scope.find(kubeResources.configMap, name)));
    return names.filter((_, index) => found[index] !== undefined && !isGoing(found[index]));
  };
  const isGoing = (object: UnstructuredObject | { metadata: { deletionTimestamp?: string | undefined } } | undefined) =>
    object?.metadata.deletionTimestamp !== undefined;

  describe("without groups", () => {
    it("goes namespaced, cluster-scoped, CRDs, each when the one before is gone; and comes the other way (B11)", async () => {
      const scope = await suite.open("default-order");
      const { crd, object, type } = customKind(scope);
      const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: `${scope.place}-own` } };
      const inside = { ...configMaps(), metadata: { name: "inside", namespace: namespace.metadata.name } };
      // In the wrong order on purpose.
      const done = await scope.deploy("item", [inside, object, scope.configMap("a", {}, held), namespace, crd]);
      expect([done.status?.phase, done.status?.lastErrors ?? []]).toEqual(["Succeeded", []]);
      await scope.remove("item");
      await scope.waitForConfigMap("a", isGoing);
      await scope.waitForMessage("item", `waiting for the deletion of ConfigMap ${scope.place}/a`);
      const { targetClient } = suite.environment;
      const liveNamespace = await targetClient.get(kubeResources.namespace, { name: namespace.metadata.name });
      expect([await hasCrd(crd), isGoing(liveNamespace), await scope.find(type, "thing")]).toEqual([
        true,
        false,
        undefined,
      ]);
      await release(scope, "a");
      await scope.waitUntilGone("item");
      expect(await hasCrd(crd)).toBe(false);
    });
  });

  describe("with groups", () => {
    it("goes in their order, and what no group selects stays, such as CRDs (A15, 34)", async () => {
      const scope = await suite.open("custom-first");
      const { crd, object, type } = customKind(scope);
      const manifests = [crd, object, ...["first", "second", "third"].map((name) => scope.configMap(name, {}, held))];
      const deletionGroups = [
        custom(configMaps({ names: ["first"] })),
        custom(configMaps({ names: ["second"], namespaces: [scope.place] })),
        predefined("namespaced-resources"),
        predefined("cluster-scoped-resources"),
      ];
      await scope.deploy("item", manifests, { config: { deletionGroups } });
      await scope.remove("item");
      await scope.waitForConfigMap("first", isGoing);
      expect(await left(scope, "second", "third")).toEqual(["second", "third"]);
      // What no group selects is forgotten only at the end: until then somebody may correct the groups.
      const waiting = await scope.waitForMessage("item", `deletion of ConfigMap ${scope.place}/first`);
      expect(listInventory(waiting)).toContain(`CustomResourceDefinition ${crd.metadata.name}`);
      await release(scope, "first");
      await scope.waitForConfigMap("second", isGoing);
      expect(await left(scope, "third")).toEqual(["third"]);
      await release(scope, "second");
      await scope.waitForConfigMap("third", isGoing);
      await release(scope, "third");
      await scope.waitUntilGone("item");
      expect([await scope.find(type, "thing"), await hasCrd(crd)]).toEqual([undefined, true]);
      await suite.environment.targetClient.delete(kubeResources.customResourceDefinition, {
        name: crd.metadata.name ?? "",
      });
    });

    it.each([
      ["nothing", [], ["a", "b"]],
      ["an empty group", [predefined("empty")], ["a", "b"]],
      ["other names", [custom(configMaps({ names: ["c"] }))], ["a", "b"]],
      ["another version", [custom({ apiVersion: "v2", kind: "ConfigMap" })], ["a", "b"]],
      ["a plural for the kind", [custom({ apiVersion: "v1", kind: "configmaps" })], ["a", "b"]],
      ["other namespaces", [custom(configMaps({ namespaces: ["other"] }))], ["a", "b"]],
      ["one name", [custom(configMaps({ names: ["a"] }))], ["b"]],
      ["only CRDs", [predefined("crds")], ["a", "b"]],
      ["what is namespaced", [predefined("namespaced-resources")], []],
    ])("selecting %s (A15, 34)", async (_name, deletionGroups, expected) => {
      const scope = await suite.open("selecting");
      // An empty list of groups is the same as none.
      const groups = deletionGroups.length === 0 ? [predefined("empty")] : deletionGroups;
      await scope.deploy("item", [scope.configMap("a"), scope.configMap("b")], { config: { deletionGroups: groups } });
      await scope.undeploy("item");
      expect(await left(scope, "a", "b")).toEqual(expected);
    });

    it("forceDelete takes finalizers off (37)", async () => {
      const scope = await suite.open("force");
      const group = { ...custom(configMaps()).customResourceGroup, forceDelete: true };
      const config = { deletionGroups: [{ customResourceGroup: group }] };
      await scope.deploy("item", [scope.configMap("a", {}, held)], { config });
      await scope.undeploy("item");
      expect(await scope.data("a")).toBe(undefined);
      const forced = { predefinedResourceGroup: { type: "namespaced-resources", forceDelete: true } };
      await scope.deploy("other", [scope.configMap("b", {}, held)], { config: { deletionGroups: [forced] } });
      await scope.undeploy("other");
      expect(await scope.find(kubeResources.configMap, "b")).toBe(undefined);
    });

    it("deleteAllResources takes also what the item does not manage, by namespace and name (35)", async () => {
      const scope = await suite.open("delete-all");
      const { targetClient } = suite.environment;
      for (const name of ["theirs", "others"])
        await targetClient.create(kubeResources.configMap, scope.configMap(name));
      const selected = configMaps({ namespaces: [scope.place], names: ["theirs"] });
      const group = { ...custom(selected).customResourceGroup, deleteAllResources: true };
      const config = { deletionGroups: [{ customResourceGroup: group }, predefined("namespaced-resources")] };
      await scope.deploy("item", [scope.configMap("own")], { config });
      await scope.undeploy("item");
      expect(await left(scope, "own", "theirs", "others")).toEqual(["others"]);
    });

    it("deleteAllResources does nothing for an item that manages nothing (35)", async () => {
      const scope = await suite.open("delete-none");
      await suite.environment.targetClient.create(kubeResources.configMap, scope.configMap("theirs"));
      const group = { ...custom(configMaps({ namespaces: [scope.place] })).customResourceGroup };
      const config = { deletionGroups: [{ customResourceGroup: { ...group, deleteAllResources: true } }] };
      await scope.deploy("item", [], { config });
      await scope.undeploy("item");
      expect(await left(scope, "theirs")).toEqual(["theirs"]);
    });

    it("deleteAllResources does nothing in an update that leaves nothing over (35)", async () => {
      const scope = await suite.open("delete-update");
      const { targetClient } = suite.environment;
      await targetClient.create(kubeResources.configMap, scope.configMap("theirs"));
      const selected = configMaps({ namespaces: [scope.place], names: ["theirs"] });
      const group = { ...custom(selected).customResourceGroup, deleteAllResources: true };
      const config = {
        deletionGroupsDuringUpdate: [{ customResourceGroup: group }, predefined("namespaced-resources")],
      };
      const manifests = [scope.configMap("own"), scope.configMap("orphan")];
      await scope.deploy("item", manifests, { config });
      await scope.redeploy("item", manifests, config);
      expect(await left(scope, "own", "orphan", "theirs")).toEqual(["own", "orphan", "theirs"]);
      await scope.redeploy("item", manifests.slice(0, 1), config);
      expect(await left(scope, "own", "orphan", "theirs")).toEqual(["own"]);
    });

    it("an update has groups of its own", async () => {
      const scope = await suite.open("during-update");
      const config = {
        deletionGroups: [predefined("empty")],
        deletionGroupsDuringUpdate: [custom(configMaps({ names: ["goes"] }))],
      };
      const manifests = ["goes", "stays", "kept"].map((name) => scope.configMap(name));
      await scope.deploy("item", manifests, { config });
      const updated = await scope.redeploy("item", [scope.configMap("kept")], config);
      expect(await left(scope, "goes", "stays", "kept")).toEqual(["stays", "kept"]);
      expect(listInventory(updated)).toEqual([`ConfigMap ${scope.place}/kept`]);
    });
  });

  describe("of an item", () => {
    it("starts with a job and not before (1)", async () => {
      const scope = await suite.open("no-job");
      await scope.deploy("item", [scope.configMap("a", { x: "1" })]);
      const key = { namespace: scope.namespace, name: "item" };
      await suite.environment.client.delete(resources.deployItem, key);
      await scope.deploy("other", [scope.configMap("b")]);
      expect(await scope.data("a")).toEqual({ x: "1" });
      expect((await scope.get("item")).status?.phase).toBe("Succeeded");
      await scope.trigger("item");
      await scope.waitUntilGone("item");
      expect(await scope.data("a")).toBe(undefined);
    });

    it("without uninstall leaves the target alone", async () => {
      const scope = await suite.open("without");
      const options = { annotations: { [annotations.deleteWithoutUninstall]: "true" } };
      await scope.deploy("item", [scope.configMap("a", { x: "1" })], options);
      await scope.undeploy("item");
      expect(await scope.data("a")).toEqual({ x: "1" });
    });

    it("whose Target is gone fails by its name, and succeeds when it is back (A20)", async () => {
      const scope = await suite.open("no-target");
      const hub = suite.environment.client;
      await scope.deploy("item", [scope.configMap("a")]);
      const target = await hub.get(resources.target, { namespace: scope.namespace, name: "cluster" });
      await hub.delete(resources.target, { namespace: scope.namespace, name: "cluster" });
      await scope.remove("item");
      expect((await scope.waitForEnd("item")).status).toMatchObject({
        phase: "DeleteFailed",
        lastError: { reason: "NoTargetFound", message: expect.stringContaining(`${scope.namespace}/cluster`) },
      });
      await scope.createTarget({ spec: target.spec });
      await scope.trigger("item");
      await scope.waitUntilGone("item");
      expect(await scope.data("a")).toBe(undefined);
    });

    it("whose Target is gone needs none without uninstall (A20)", async () => {
      const scope = await suite.open("no-target-kept");
      await scope.deploy("item", [scope.configMap("a", { x: "1" })]);
      const hub = suite.environment.client;
      await hub.delete(resources.target, { namespace: scope.namespace, name: "cluster" });
      const body = { metadata: { annotations: { [annotations.deleteWithoutUninstall]: "true" } } };
      const key = { namespace: scope.namespace, name: "item" };
      await hub.patch(resources.deployItem, key, { type: "merge", body });
      await scope.undeploy("item");
      expect(await scope.data("a")).toEqual({ x: "1" });
    });

    it("that takes too long names what it waits for (38)", async () => {
      const scope = await suite.open("too-long");
      await scope.deploy("item", [scope.configMap("a", {}, held)], { timeout: "1s" });
      await scope.remove("item");
      expect((await scope.waitForEnd("item")).status).toMatchObject({
        phase: "DeleteFailed",
        lastError: {
          codes: ["ERR_TIMEOUT"],
          message: expect.stringContaining(`deletion of ConfigMap ${scope.place}/a`),
        },
      });
      expect(listInventory(await scope.get("item"))).toEqual([`ConfigMap ${scope.place}/a`]);
      await release(scope, "a");
      await scope.trigger("item");
      await scope.waitUntilGone("item");
    });

    it("finds objects gone, and kinds gone, and is done", async () => {
      const scope = await suite.open("gone");
      const { crd, object } = customKind(scope);
      const { targetClient } = suite.environment;
      await scope.deploy("item", [crd, object, scope.configMap("a")]);
      await targetClient.delete(kubeResources.customResourceDefinition, { name: crd.metadata.name ?? "" });
      await waitFor(async () => !(await hasCrd(crd)));
      await targetClient.delete(kubeResources.configMap, { namespace: scope.place, name: "a" });
      await scope.undeploy("item");
    });
  });
});
