import { describe, expect, it } from "@jest/globals";
import { decide, plain, podOf, recorded, retryPolicy, type Observed } from "../../../test/observed-runs.ts";

describe("what is done about the run of a program", () => {
  it.each<readonly [string, Observed, object]>([
    ["nothing is known of it", {}, { type: "create", attempt: 0 }],
    ["the last run was for another job", { record: { ...recorded, runID: "other" } }, { type: "create", attempt: 0 }],
    [
      "the last run was of the other operation",
      { record: { ...recorded, operation: "DELETE" } },
      { type: "create", attempt: 0 },
    ],
    [
      "its Pod is there, but not recorded: the answer to its creation was lost",
      { pods: [podOf({ gated: true, node: "", phase: "Pending" })] },
      { type: "record", attempt: 0, pod: "p0" },
    ],
    [
      "its Pod is being deleted before it was recorded",
      { pods: [podOf({ gated: true, node: "", deleting: true })] },
      { type: "clear", pods: ["p0"] },
    ],
    [
      "its Pod was refused before it was recorded",
      { pods: [podOf({ phase: "Failed" })] },
      { type: "clear", pods: ["p0"] },
    ],
    ["a Pod of another run is there", { pods: [podOf({ name: "x" })] }, { type: "clear", pods: ["x"] }],
    [
      "Pods of other runs are there beside its own",
      { record: recorded, pods: [podOf(), podOf({ name: "x", phase: "Succeeded" })] },
      { type: "clear", pods: ["x"] },
    ],
    [
      "a Pod of another run was kept when it had ended",
      { pods: [podOf({ name: "x", phase: "Failed", kept: true })] },
      { type: "clear", pods: ["x"] },
    ],
    [
      "all Pods are kept",
      { pods: [podOf({ name: "x", phase: "Failed", kept: true })], keepsPods: true },
      { type: "create", attempt: 0 },
    ],
    [
      "all Pods are kept, and one still runs",
      { pods: [podOf({ name: "x", kept: true })], keepsPods: true },
      { type: "clear", pods: ["x"] },
    ],
    [
      "its Pod is recorded, and still behind its gate",
      { record: recorded, pods: [podOf({ gated: true, node: "", phase: "Pending" })] },
      { type: "ungate", pod: "p0" },
    ],
    ["its Pod runs", { record: recorded, pods: [podOf()] }, { type: "wait", pod: "p0" }],
    [
      "its Pod is being deleted, and still runs",
      { record: recorded, pods: [podOf({ deleting: true })] },
      { type: "wait", pod: "p0" },
    ],
    ["its recorded Pod is gone", { record: recorded }, { type: "lost", why: "it is gone" }],
    [
      "another Pod has the name of its recorded one",
      { record: recorded, pods: [podOf({ uid: "v" })] },
      { type: "lost", why: "it is gone", pod: "p0" },
    ],
    [
      "its Pod was deleted before it had a node",
      { record: recorded, pods: [podOf({ node: "", phase: "Pending", deleting: true })] },
      { type: "lost", why: "it was deleted before it started", pod: "p0" },
    ],
    [
      "its Pod is lost, and it may run again",
      { record: recorded, retryPolicy },
      { type: "retry", attempt: 1, why: "it is gone" },
    ],
    [
      "it is to run again",
      { record: { ...recorded, attempt: 1, podUID: undefined }, retryPolicy },
      { type: "create", attempt: 1 },
    ],
    [
      "the Pod of the attempt before is still there",
      { record: { ...recorded, attempt: 1, podUID: undefined }, pods: [podOf({ phase: "Failed" })], retryPolicy },
      { type: "clear", pods: ["p0"] },
    ],
    [
      "it was lost as often as it may be",
      { record: { ...recorded, attempt: 2 }, retryPolicy },
      { type: "lost", why: "it is gone" },
    ],
    [
      "the policy has no loss of Pods",
      { record: recorded, retryPolicy: { onPodLoss: false, limit: 2 } },
      { type: "lost", why: "it is gone" },
    ],
    [
      "its result is recorded, and its Pod is still there",
      { record: { ...recorded, result: "Succeeded" }, pods: [podOf({ phase: "Succeeded" })] },
      { type: "finish", record: { ...recorded, result: "Succeeded" }, pod: "p0" },
    ],
    [
      "its result is recorded, and its Pod is gone",
      { record: { ...recorded, result: "Failed" } },
      { type: "finish", record: { ...recorded, result: "Failed" } },
    ],
  ])("when %s", (...[, observed, decision]) => {
    expect(decide(observed)).toEqual(plain(decision));
  });
});
