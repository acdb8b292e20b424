// Who an object and its fields belong to: server-side apply, adoption, inventory (deployers.md §6: B1, B2, B12, B13).
import { describe, expect, it } from "@jest/globals";
import { kubeResources, labels, resources } from "@landscaper/api";
import { listInventory } from "@landscaper/deployer/testing";
import { itemConfig } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const byApply = { updateStrategy: "apply" };

describe.each(clustersUnderTest())("ownership on %s", (cluster) => {
  const suite = useManifestDeployer({ cluster });

  describe("fields, with strategy apply", () => {
    it("of others stay, our own are pruned (B1)", async () => {
      const scope = await suite.open("fields");
      await scope.deploy("item", [scope.configMap("a", { x: "1", y: "1" })], { config: byApply });
      await scope.edit("a", { data: { z: "theirs" } });
      const done = await scope.redeploy("item", [scope.configMap("a", { x: "2" })], byApply);
      expect(await scope.data("a")).toEqual({ x: "2", z: "theirs" });
      const fieldManager = `landscaper/${scope.namespace}/item`;
      expect(done.status?.providerStatus).toMatchObject({ managedResources: [{ fieldManager }] });
      const live = await scope.find(kubeResources.configMap, "a");
      expect(live?.metadata.managedFields).toContainEqual(
        expect.objectContaining({ manager: fieldManager, operation: "Apply" }),
      );
    });

    it("that conflict end the job, which names manager and field, and are taken over by force (B1)", async () => {
      const scope = await suite.open("conflict");
      await scope.deploy("item", [scope.configMap("a", { x: "1" })], { config: byApply });
      await scope.edit("a", { data: { x: "theirs" } });
      const failed = await scope.redeploy("item", [scope.configMap("a", { x: "2" })], byApply);
      expect(failed.status).toMatchObject({
        phase: "Failed",
        lastError: {
          reason: "FieldConflict",
          message: expect.stringContaining(`apply ConfigMap ${scope.place}/a: kubectl-edit manages .data.x; `),
        },
      });
      expect(await scope.data("a")).toEqual({ x: "theirs" });
      expect(listInventory(failed)).toEqual([`ConfigMap ${scope.place}/a`]);
      const forced = { ...byApply, serverSideApply: { force: true } };
      expect((await scope.redeploy("item", [scope.configMap("a", { x: "2" })], forced)).status?.phase).toBe(
        "Succeeded",
      );
      expect(await scope.data("a")).toEqual({ x: "2" });
    });

    it.each(["update", "patch", "merge", "mergeOverwrite"])(
      "that %s has written are pruned after the change to apply, and after the change back (B2)",
      async (updateStrategy) => {
        const scope = await suite.open("migration");
        const former = { updateStrategy };
        await scope.deploy("item", [scope.configMap("a", { x: "1", y: "1" })], { config: former });
        await scope.redeploy("item", [scope.configMap("a", { x: "1", y: "2" })], former);
        await scope.edit("a", { data: { theirs: "yes" } });
        const done = await scope.redeploy("item", [scope.configMap("a", { x: "1" })], byApply);
        expect(done.status?.phase).toBe("Succeeded");
        expect(await scope.data("a")).toEqual({ x: "1", theirs: "yes" });
        const back = await scope.redeploy("item", [scope.configMap("a", { x: "3" })], { updateStrategy: "update" });
        expect(back.status?.phase).toBe("Succeeded");
        expect(await scope.data("a")).toEqual({ x: "3" });
      },
    );

    it("of a tool that is named are taken over (B2)", async () => {
      const scope = await suite.open("take-over");
      const theirs = scope.configMap("a", { x: "0", y: "1" });
      const { targetClient } = suite.environment;
      await targetClient.create(kubeResources.configMap, theirs, { fieldManager: "former-tool" });
      const config = { ...byApply, serverSideApply: { takeOver: ["former-tool"] } };
      const done = await scope.deploy("item", [scope.configMap("a", { x: "1" })], { config });
      expect([done.status?.phase, await scope.data("a")]).toEqual(["Succeeded", { x: "1" }]);
    });

    it("that are patched after the deployment do not conflict with the next job", async () => {
      const scope = await suite.open("patched");
      const entry = {
        manifest: scope.configMap("a", { x: "1" }),
        patchAfterDeployment: { data: { x: "patched", y: "1" } },
      };
      await scope.deploy("item", [entry], { config: byApply });
      expect((await scope.redeploy("item", [entry], byApply)).status?.phase).toBe("Succeeded");
      expect(await scope.data("a")).toEqual({ x: "patched", y: "1" });
    });
  });

  describe("an object of another item (B13)", () => {
    it("is not taken, and is once that item has given it up", async () => {
      const scope = await suite.open("given-up");
      await scope.deploy("first", [scope.configMap("a", { by: "first" })]);
      await scope.start("second", [scope.configMap("a", { by: "second" })]);
      expect(await scope.waitForError("second")).toMatchObject({
        reason: "TargetOwnedByOther",
        message: expect.stringContaining(`ConfigMap ${scope.place}/a`),
      });
      expect(await scope.data("a")).toEqual({ by: "first" });
      await scope.redeploy("first", [scope.configMap("other")]);
      expect((await scope.waitForEnd("second")).status?.phase).toBe("Succeeded");
      expect(await scope.data("a")).toEqual({ by: "second" });
    });

    it("is taken at once by adopt, says from whom, and survives the former item", async () => {
      const scope = await suite.open("adopted");
      await scope.deploy("first", [scope.configMap("a", { by: "first" })]);
      const entry = { manifest: scope.configMap("a", { by: "second" }), adopt: true };
      expect((await scope.deploy("second", [entry])).status?.phase).toBe("Succeeded");
      const live = await scope.find(kubeResources.configMap, "a");
      expect(live?.metadata).toMatchObject({
        labels: { [labels.manifestDeployItem]: "second" },
        annotations: { "landscaper.gardener.cloud/adopted-from": "first" },
      });
      await scope.undeploy("first");
      expect(await scope.data("a")).toEqual({ by: "second" });
    });

    it("is not deleted by an item that could not have it", async () => {
      const scope = await suite.open("not-had");
      await scope.deploy("first", [scope.configMap("a", { by: "first" })]);
      const failed = await scope.deploy("second", [scope.configMap("a", { by: "second" })], { timeout: "1s" });
      expect(failed.status?.lastError?.message).toContain(`ConfigMap ${scope.place}/a`);
      await scope.undeploy("second");
      expect(await scope.data("a")).toEqual({ by: "first" });
    });

    it("may be kept by both", async () => {
      const scope = await suite.open("kept");
      const entry = (by: string) => ({ policy: "keep", manifest: scope.configMap("a", { by }) });
      await scope.deploy("first", [entry("first")]);
      expect((await scope.deploy("second", [entry("second")])).status?.phase).toBe("Succeeded");
      await scope.undeploy("first");
      await scope.undeploy("second");
      expect(await scope.data("a")).toBeDefined();
    });
  });

  describe("the inventory (B12)", () => {
    it("lists everything before it is touched, and forgets nothing before it is gone", async () => {
      const scope = await suite.open("inventory");
      const held = { finalizers: ["example.org/hold"] };
      const path = (name: string) => `ConfigMap ${scope.place}/${name}`;
      await scope.deploy("item", [scope.configMap("old", {}, held)]);
      const wrong = { ...scope.configMap("wrong"), data: { "not a key": "x" } };
      await scope.trigger("item", { config: itemConfig([wrong, scope.configMap("new")]) });
      await scope.waitForError("item");
      expect(listInventory(await scope.get("item"))).toEqual([path("new"), path("old"), `${path("wrong")} ?`]);
      await scope.trigger("item", { config: itemConfig([scope.configMap("new")]) });
      const pruning = await scope.waitForMessage("item", `deletion of ${path("old")}`);
      expect(listInventory(pruning)).toContain(path("old"));
      await scope.edit("old", { metadata: { finalizers: null } });
      expect(listInventory(await scope.waitForEnd("item"))).toEqual([path("new")]);
    });

    it("does not touch what somebody else has put in the place of an object", async () => {
      const scope = await suite.open("replaced");
      const { targetClient } = suite.environment;
      await scope.deploy("item", [scope.configMap("a", { by: "us" })]);
      await targetClient.delete(kubeResources.configMap, { namespace: scope.place, name: "a" });
      await targetClient.create(kubeResources.configMap, scope.configMap("a", { by: "them" }));
      await scope.undeploy("item");
      expect(await scope.data("a")).toEqual({ by: "them" });
    });

    it("is enough to delete an item whose configuration cannot be read any more", async () => {
      const scope = await suite.open("ruined");
      const selected = [{ apiVersion: "v1", kind: "ConfigMap", names: ["a"] }];
      const deletionGroups = [{ customResourceGroup: { resources: selected } }];
      await scope.deploy("item", [scope.configMap("a", { x: "1" }), scope.configMap("b", { x: "1" })], {
        config: { deletionGroups },
      });
      const config = { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v7", kind: "None" };
      const body = { spec: { config: { ...config, manifests: null, deletionGroups: null } } };
      const key = { namespace: scope.namespace, name: "item" };
      await suite.environment.client.patch(resources.deployItem, key, { type: "merge", body });
      await scope.undeploy("item");
      expect([await scope.data("a"), await scope.data("b")]).toEqual([undefined, { x: "1" }]);
    });
  });
});
