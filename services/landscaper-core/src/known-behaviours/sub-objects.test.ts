// Behaviours of core.md §4 by their numbers: Execution, deploy items and subinstallations.
import { describe, expect, it } from "@jest/globals";
import { annotations, decodeDeployItems, resources } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import { deployItems, installation, template, trigger, type TestItem } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";
import { change, childOf, deployItem, exports, producer } from "../../test/behaviours.ts";

const setUp = setUpCore();

const withItems = (...items: readonly TestItem[]) =>
  installation({ name: "root", blueprint: { deploy: deployItems(...items) } });
const withChildren = (...children: readonly ReturnType<typeof template>[]) =>
  installation({
    name: "root",
    // Some of the tests take all of them away.
    annotations: { ...trigger, [annotations.allowEmpty]: "true" },
    blueprint: { subinstallations: children },
  });

/** Lets an item go that its deployer could not uninstall. */
async function mend(namespace: TestNamespace, name: string): Promise<void> {
  const item = await deployItem(namespace, name);
  const key = { namespace: namespace.name, name: item?.metadata.name ?? "" };
  const body = { spec: { config: { deletion: "Gone" } } };
  await namespace.client.patch(resources.deployItem, key, { type: "merge", body });
}

describe("sub-objects (core.md §4)", () => {
  it("§4.13 fixed: an item that could not be removed before is uninstalled with the Execution", async () => {
    const namespace = await setUp.namespace("f13");
    await namespace.create(resources.installation, withItems({ name: "a", deletion: "DeleteFailed" }, { name: "b" }));
    await namespace.untilPhase("root", "Succeeded");
    await change(namespace, withItems({ name: "b" }));
    await namespace.untilPhase("root", "Failed");
    await namespace.delete(resources.installation, "root");
    const failed = await namespace.untilPhase("root", "DeleteFailed");
    expect((await deployItem(namespace, "a"))?.status).toMatchObject({
      jobID: failed.status?.jobID,
      phase: "DeleteFailed",
    });
    expect(await namespace.find(resources.execution, "root")).toBeDefined();
    await mend(namespace, "a");
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilGone(resources.installation, "root");
    expect(await namespace.list(resources.deployItem)).toEqual([]);
  });

  it("§4.27: what somebody changes on a subinstallation is overwritten by the next job", async () => {
    const namespace = await setUp.namespace("k27");
    const child = template({ name: "child", blueprint: producer });
    await namespace.create(resources.installation, withChildren(child));
    await namespace.untilPhase("root", "Succeeded");
    const before = await childOf(namespace, "child");
    const metadata = {
      ...before!.metadata,
      labels: { ...before!.metadata.labels, mine: "x" },
      annotations: { ...before!.metadata.annotations, mine: "x" },
    };
    const changed = { ...before!, metadata, spec: { ...before!.spec, exports } };
    await namespace.client.update(resources.installation, changed);
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilPhase("root", "Succeeded");
    const after = await childOf(namespace, "child");
    const written = [after?.metadata.labels, after?.metadata.annotations, after?.spec];
    expect(written).toEqual([before?.metadata.labels, before?.metadata.annotations, before?.spec]);
  });

  it("§4.28: a subinstallation that somebody deletes stays, and fails the next job", async () => {
    const namespace = await setUp.namespace("k28");
    const child = template({ name: "child", blueprint: producer });
    await namespace.create(resources.installation, withChildren(child));
    await namespace.untilPhase("root", "Succeeded");
    const before = await childOf(namespace, "child");
    await namespace.delete(resources.installation, before!.metadata.name!);
    await namespace.annotate(resources.installation, "root", trigger);
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toMatch(
      /^subinstallation "child" \(child-[a-z2-7]{8}\) is currently under deletion; /,
    );
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
  });

  it("§4.28: a template that comes again while its subinstallation cannot be deleted fails the job", async () => {
    const namespace = await setUp.namespace("k28-again");
    const child = template({
      name: "child",
      blueprint: { deploy: deployItems({ name: "a", deletion: "DeleteFailed" }) },
    });
    await namespace.create(resources.installation, withChildren(child));
    await namespace.untilPhase("root", "Succeeded");
    await change(namespace, withChildren());
    await namespace.untilPhase("root", "Failed");
    expect((await childOf(namespace, "child"))?.status?.phase).toBe("DeleteFailed");
    await change(namespace, withChildren(child));
    const failed = await namespace.until(
      resources.installation,
      "root",
      (found) => found?.status?.lastError?.message.includes("is currently under deletion") === true,
    );
    expect(failed?.status?.phase).toBe("Failed");
    await mend(namespace, "a");
    await change(namespace, withChildren());
    await namespace.untilPhase("root", "Succeeded");
    expect(await childOf(namespace, "child")).toBeUndefined();
  });

  it("§4.29, §4.30: the Execution carries the reconcile annotation and its items compressed", async () => {
    const namespace = await setUp.namespace("k30");
    await namespace.create(resources.installation, withItems({ name: "item" }));
    await namespace.untilPhase("root", "Succeeded");
    const execution = await namespace.get(resources.execution, "root");
    expect(execution.metadata.annotations?.[annotations.operation]).toBe("reconcile");
    expect(execution.spec.deployItems).toBeUndefined();
    expect(decodeDeployItems(execution.spec).map(({ name }) => name)).toEqual(["item"]);
  });

  it("§4.29: the reconcile annotation alone does not start an Execution", async () => {
    const namespace = await setUp.namespace("k29");
    await namespace.create(resources.installation, withItems({ name: "item" }));
    await namespace.untilPhase("root", "Succeeded");
    const before = await namespace.get(resources.execution, "root");
    await namespace.annotate(resources.execution, "root", { [annotations.operation]: "reconcile", mine: "x" });
    // What comes later is seen later: another Installation runs from start to end.
    await namespace.create(resources.installation, installation({ name: "other", blueprint: producer, exports }));
    await namespace.untilPhase("other", "Succeeded");
    const after = await namespace.get(resources.execution, "root");
    expect(after.metadata.annotations).toMatchObject({ [annotations.operation]: "reconcile", mine: "x" });
    expect(after.status).toEqual(before.status);
  });

  it("§4.58 fixed: the deletion of an orphan has times of its own, and leaves those of the parent", async () => {
    const namespace = await setUp.namespace("f58");
    const child = template({ name: "child", blueprint: { deploy: deployItems({ name: "a", deletion: "Hang" }) } });
    await namespace.create(resources.installation, withChildren(child));
    await namespace.untilPhase("root", "Succeeded");
    await change(namespace, withChildren());
    const orphan = (await childOf(namespace, "child"))!;
    const deleting = await namespace.until(
      resources.installation,
      orphan.metadata.name!,
      (found) => found?.status?.phase === "Deleting",
    );
    const root = await namespace.get(resources.installation, "root");
    expect(root.status?.phase).toBe("CleanupOrphaned");
    expect(deleting?.metadata.annotations).toMatchObject({ [annotations.deleteIgnoreSuccessors]: "true" });
    expect(deleting?.status?.jobID).toBe(root.status?.jobID);
    // A time of the end would be that of the job before.
    expect(Object.keys(deleting?.status?.transitionTimes ?? {})).toEqual(["triggerTime", "initTime", "waitTime"]);
    expect(Object.keys(root.status?.transitionTimes ?? {})).toEqual(["triggerTime", "initTime"]);
    await mend(namespace, "a");
  });
});
