import { describe, expect, it } from "@jest/globals";
import { annotations, resources, type Installation } from "@landscaper/api";
import { deployItems, installation, stringParameter, template, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();

const producer = { exports: [stringParameter("value")], export: 'exports: { value: "one" }\n' };
const exports = { data: [{ name: "value", dataRef: "value" }] };
const imports = { data: [{ name: "value", dataRef: "value" }] };

describe("deleting an Installation", () => {
  it("takes Execution, deploy items, subinstallations and data objects along", async () => {
    const namespace = await setUp.namespace("delete");
    const nested = template({
      name: "nested",
      blueprint: { ...producer, deploy: deployItems({ name: "item" }) },
      exports,
    });
    const blueprint = { subinstallations: [nested], deploy: deployItems({ name: "item" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilPhase("root", "Succeeded");
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
    expect(await namespace.list(resources.installation)).toEqual([]);
    expect(await namespace.list(resources.execution)).toEqual([]);
    expect(await namespace.list(resources.deployItem)).toEqual([]);
  });

  it("that never ran works without its blueprint (core.md §4.36)", async () => {
    const namespace = await setUp.namespace("never-ran");
    const broken: Installation = {
      ...installation({ name: "root", blueprint: {}, annotations: {} }),
      spec: { blueprint: { inline: { filesystem: { "blueprint.yaml": "[" } } } },
    };
    await namespace.create(resources.installation, broken);
    await namespace.until(resources.installation, "root", (found) => found?.metadata.finalizers?.length === 1);
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
  });

  it("waits while a sibling imports from it, and says so (core.md §5.12, §4.35)", async () => {
    const namespace = await setUp.namespace("blocked");
    await namespace.create(resources.installation, installation({ name: "a", blueprint: producer, exports }));
    await namespace.untilPhase("a", "Succeeded");
    const consumer = { imports: [stringParameter("value")] };
    await namespace.create(resources.installation, installation({ name: "c", blueprint: consumer, imports }));
    const before = await namespace.untilPhase("c", "Succeeded");

    await namespace.delete(resources.installation, "a");
    const waiting = await namespace.until(
      resources.installation,
      "a",
      (found) => found?.status?.lastError?.reason === "SiblingImport",
    );
    expect(waiting?.status?.phase).toBe("InitDelete");
    expect(waiting?.status?.lastError?.message).toBe(
      "a sibling still imports some of the exports: c; " +
        'delete the siblings first, or set the annotation landscaper.gardener.cloud/delete-ignore-successors: "true" on this Installation',
    );
    expect((await namespace.get(resources.installation, "c")).metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
    await namespace.delete(resources.installation, "c");
    await namespace.untilGone(resources.installation, "c");
    await namespace.untilGone(resources.installation, "a");
  });

  it("does not wait with delete-ignore-successors", async () => {
    const namespace = await setUp.namespace("ignore");
    await namespace.create(resources.installation, installation({ name: "a", blueprint: producer, exports }));
    await namespace.untilPhase("a", "Succeeded");
    const consumer = { imports: [stringParameter("value")] };
    await namespace.create(resources.installation, installation({ name: "c", blueprint: consumer, imports }));
    await namespace.untilPhase("c", "Succeeded");
    await namespace.annotate(resources.installation, "a", { [annotations.deleteIgnoreSuccessors]: "true" });
    await namespace.delete(resources.installation, "a");
    await namespace.untilGone(resources.installation, "a");
  });

  it("fails when an uninstallation fails, and is tried again on a trigger (core.md §4.37)", async () => {
    const namespace = await setUp.namespace("delete-failed");
    const blueprint = { deploy: deployItems({ name: "item", deletion: "DeleteFailed", message: "it is stuck" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilPhase("root", "Succeeded");
    await namespace.delete(resources.installation, "root");
    const failed = await namespace.untilPhase("root", "DeleteFailed");
    expect(failed.status?.lastError).toMatchObject({
      operation: "handlePhaseDeleting",
      reason: "InstallationNotDeleted",
      message: `Execution could not be deleted: deploy item "item": it is stuck; if the target is lost, delete the Installation and leave its objects on the target: landscaper delete root -n ${namespace.name} --without-uninstall`,
    });
    const [item] = await namespace.list(resources.deployItem);
    await namespace.client.update(resources.deployItem, {
      ...item!,
      spec: { ...item!.spec, config: { apiVersion: "test/v1", kind: "Item", deletion: "Gone" } },
    });
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilGone(resources.installation, "root");
  });

  it("without uninstallation needs no deployer (core.md §5.21)", async () => {
    const namespace = await setUp.namespace("without-uninstall");
    const nested = template({
      name: "nested",
      blueprint: { deploy: deployItems({ name: "stuck", deletion: "Hang" }) },
    });
    const blueprint = { subinstallations: [nested], deploy: deployItems({ name: "item", deletion: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilPhase("root", "Succeeded");
    await namespace.annotate(resources.installation, "root", { [annotations.deleteWithoutUninstall]: "true" });
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
    expect(await namespace.list(resources.deployItem)).toEqual([]);
    expect(setUp.deployer.log).not.toContain("delete stuck");
  });

  it("waits for the running job to end (core.md §2.3)", async () => {
    const namespace = await setUp.namespace("running");
    const blueprint = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const running = await namespace.untilWorking("root");
    await namespace.delete(resources.installation, "root");
    const [item] = await namespace.list(resources.deployItem);
    const picked = await namespace.until(
      resources.deployItem,
      item!.metadata.name!,
      (found) => found?.status?.phase === "Init",
    );
    expect(picked?.metadata.deletionTimestamp).toBeUndefined();
    const status = { ...picked!.status, phase: "Succeeded", jobIDFinished: running.status!.jobID! };
    await namespace.client.updateStatus(resources.deployItem, { ...picked!, status });
    await namespace.untilGone(resources.installation, "root");
  });
});
