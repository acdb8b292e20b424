import { describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { deployItems, installation } from "./test-objects.ts";
import { setUpCore } from "./test-set-up.ts";

const setUp = setUpCore();

describe("NATS", () => {
  it("hears of every transition of an Installation and its Execution (design.md §3.10)", async () => {
    const namespace = await setUp.namespace("transitions");
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: { deploy: deployItems({ name: "item" }) } }),
    );
    const done = await namespace.untilPhase("root", "Succeeded");
    const own = setUp.core.published.filter(({ data }) => data.namespace === "transitions");
    expect(own.map(({ data }) => `${data.kind} ${data.phase}`)).toEqual([
      "Installation Triggered",
      "Installation Progressing",
      "Execution Triggered",
      "DeployItem Triggered",
      "Execution Progressing",
      "Execution Succeeded",
      "Installation Succeeded",
    ]);
    expect(new Set(own.map(({ data }) => data.jobID))).toEqual(new Set([done.status?.jobID]));
  });
});
