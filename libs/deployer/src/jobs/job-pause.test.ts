import { describe, expect, it } from "@jest/globals";
import { annotations, type DeployItem } from "@landscaper/api";
import { pauseFor, remainingPauseMs, type PassSubject } from "./job-pause.ts";
import { createJobRegistry } from "./job-registry.ts";

const item: DeployItem = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "DeployItem",
  metadata: { name: "item", namespace: "n", uid: "1", generation: 1, annotations: { other: "1" } },
  spec: { type: "t" },
};
const subject: PassSubject = { item, target: { state: "none" } };

describe("a pause", () => {
  it.each<readonly [string, number, Partial<DeployItem["metadata"]>]>([
    ["goes on for an item that is the same", 900, {}],
    ["goes on when other annotations change", 900, { annotations: { other: "2" } }],
    ["ends with a new spec", 0, { generation: 2 }],
    ["ends with an approval", 0, { annotations: { other: "1", [annotations.approvedJob]: "job-1" } }],
  ])("%s", (_name, expected, changes) => {
    const memory = createJobRegistry().enter(item, "job-1");
    pauseFor(memory, subject, { elapsedMs: 1000, delayMs: 1000, isAfterFailure: false });
    const changed = { ...subject, item: { ...item, metadata: { ...item.metadata, ...changes } } };
    expect(remainingPauseMs(memory, changed, 1100)).toBe(expected);
  });
});
