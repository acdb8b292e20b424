import { describe, expect, it } from "@jest/globals";
import { decide, plain, podOf, recorded, retryPolicy, type Observed } from "../../../test/observed-runs.ts";

describe("the run of a program", () => {
  it.each<readonly [string, Observed, object]>([
    ["creates its Pod when the item has no record", {}, { type: "create", attempt: 0 }],
    [
      "creates its Pod when the record is of another job",
      { record: { ...recorded, runID: "other" } },
      { type: "create", attempt: 0 },
    ],
    [
      "creates its Pod when the record is of the other operation",
      { record: { ...recorded, operation: "DELETE" } },
      { type: "create", attempt: 0 },
    ],
    [
      "records its Pod when the answer to the creation was lost",
      { pods: [podOf({ gated: true, node: "", phase: "Pending" })] },
      { type: "record", attempt: 0, pod: "p0" },
    ],
    [
      "removes its Pod when that is being deleted before it was recorded",
      { pods: [podOf({ gated: true, node: "", deleting: true })] },
      { type: "clear", pods: ["p0"] },
    ],
    [
      "removes its Pod when that was refused before it was recorded",
      { pods: [podOf({ phase: "Failed" })] },
      { type: "clear", pods: ["p0"] },
    ],
    ["removes a Pod of another run", { pods: [podOf({ name: "x" })] }, { type: "clear", pods: ["x"] }],
    [
      "removes Pods of other runs beside its own",
      { record: recorded, pods: [podOf(), podOf({ name: "x", phase: "Succeeded" })] },
      { type: "clear", pods: ["x"] },
    ],
    [
      "removes an ended Pod that another run has kept",
      { pods: [podOf({ name: "x", phase: "Failed", kept: true })] },
      { type: "clear", pods: ["x"] },
    ],
    [
      "creates its Pod beside an ended one when all Pods are kept",
      { pods: [podOf({ name: "x", phase: "Failed", kept: true })], keepsPods: true },
      { type: "create", attempt: 0 },
    ],
    [
      "removes a running Pod of another run although all Pods are kept",
      { pods: [podOf({ name: "x", kept: true })], keepsPods: true },
      { type: "clear", pods: ["x"] },
    ],
    [
      "removes the gate of its recorded Pod",
      { record: recorded, pods: [podOf({ gated: true, node: "", phase: "Pending" })] },
      { type: "ungate", pod: "p0" },
    ],
    ["waits while its Pod runs", { record: recorded, pods: [podOf()] }, { type: "wait", pod: "p0" }],
    [
      "waits while its Pod is being deleted and still runs",
      { record: recorded, pods: [podOf({ deleting: true })] },
      { type: "wait", pod: "p0" },
    ],
    [
      "fails with PodLost when its recorded Pod no longer exists",
      { record: recorded },
      { type: "lost", why: "it is gone" },
    ],
    [
      "fails with PodLost when another Pod has the name of its recorded Pod",
      { record: recorded, pods: [podOf({ uid: "v" })] },
      { type: "lost", why: "it is gone", pod: "p0" },
    ],
    [
      "fails with PodLost when its Pod was deleted before it had a node",
      { record: recorded, pods: [podOf({ node: "", phase: "Pending", deleting: true })] },
      { type: "lost", why: "it was deleted before it started", pod: "p0" },
    ],
    [
      "retries when its Pod is lost and the policy permits it",
      { record: recorded, retryPolicy },
      { type: "retry", attempt: 1, why: "it is gone" },
    ],
    [
      "creates the Pod of the next attempt",
      { record: { ...recorded, attempt: 1, podUID: undefined }, retryPolicy },
      { type: "create", attempt: 1 },
    ],
    [
      "removes the Pod of the previous attempt first",
      { record: { ...recorded, attempt: 1, podUID: undefined }, pods: [podOf({ phase: "Failed" })], retryPolicy },
      { type: "clear", pods: ["p0"] },
    ],
    [
      "fails with PodLost when the limit of the policy is reached",
      { record: { ...recorded, attempt: 2 }, retryPolicy },
      { type: "lost", why: "it is gone" },
    ],
    [
      "fails with PodLost when the policy does not permit retries",
      { record: recorded, retryPolicy: { onPodLoss: false, limit: 2 } },
      { type: "lost", why: "it is gone" },
    ],
    [
      "finishes when its result is recorded and its Pod still exists",
      { record: { ...recorded, result: "Succeeded" }, pods: [podOf({ phase: "Succeeded" })] },
      { type: "finish", record: { ...recorded, result: "Succeeded" }, pod: "p0" },
    ],
    [
      "finishes when its result is recorded and its Pod no longer exists",
      { record: { ...recorded, result: "Failed" } },
      { type: "finish", record: { ...recorded, result: "Failed" } },
    ],
  ])("%s", (...[, observed, decision]) => {
    expect(decide(observed)).toEqual(plain(decision));
  });
});
