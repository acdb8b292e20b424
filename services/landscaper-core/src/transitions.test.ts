import { describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { deployItems, installation } from "../test/objects.ts";
import { setUpCore } from "../test/set-up.ts";

const setUp = setUpCore();

describe("status", () => {
  it("tells the times of a job at every level, and of deleting it (core.md §1.1 no. 21)", async () => {
    const namespace = await setUp.namespace("times");
    const blueprint = { deploy: deployItems({ name: "item", deletion: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const { status } = await namespace.untilPhase("root", "Succeeded");
    const execution = await namespace.get(resources.execution, "root");
    const [item] = await namespace.list(resources.deployItem);
    const all = ["triggerTime", "initTime", "waitTime", "finishedTime"];
    expect([status, execution.status].map((one) => Object.keys(one?.transitionTimes ?? {}))).toEqual([all, all]);
    // The others are its deployer's.
    expect(item?.status?.transitionTimes).toMatchObject({ triggerTime: item?.status?.jobIDGenerationTime });
    expect([status, execution.status].map((one) => one?.phaseTransitionTime === undefined)).toEqual([false, false]);

    await namespace.delete(resources.installation, "root");
    const deleting = await namespace.until(
      resources.execution,
      "root",
      (found) => found?.status?.phase === "Deleting" && found.status.transitionTimes?.waitTime !== undefined,
    );
    const root = await namespace.get(resources.installation, "root");
    const open = ["triggerTime", "initTime", "waitTime"];
    const times = [root.status, deleting?.status].map((one) => Object.keys(one?.transitionTimes ?? {}));
    expect(times).toEqual([open, open]);
  });
});
