import { describe, expect, it } from "@jest/globals";
import { apiVersion, type DeployItem } from "@landscaper/api";
import { createJobNotifier, type JobNotifier } from "./job-notifier.ts";

const item: DeployItem = {
  apiVersion,
  kind: "DeployItem",
  metadata: { name: "item", namespace: "ns" },
  spec: { type: "test/item" },
  status: { phase: "Succeeded", jobID: "1", jobIDFinished: "1" },
};

describe("who counts jobs", () => {
  it.each<
    readonly [
      keyof JobNotifier & ("refused" | "acknowledged" | "finished" | "deleted" | "failing" | "succeeded"),
      number,
    ]
  >([
    ["refused", 1],
    ["acknowledged", 1],
    ["finished", 1],
    ["deleted", 1],
    ["failing", 0],
    ["succeeded", 0],
  ])("hears of a job that was %s %i times", (call, times) => {
    const ended: unknown[] = [];
    const recorder = { event: () => {}, stop: async () => await Promise.resolve() };
    const notifier = createJobNotifier({
      recorder,
      onEnd: (object) => void ended.push(object),
    });
    notifier[call](item);
    expect(ended).toEqual(Array.from({ length: times }, () => item));
  });
});
