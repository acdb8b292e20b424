import { describe, expect, it } from "@jest/globals";
import type { ContainerState, Pod } from "@landscaper/api";
import { podFinalizer, recordedGate } from "../../contract/labels.ts";
import { decideRun, type ObservedRun, type RunRecord } from "./decide-run.ts";
import { observePod, type ObservedPod } from "../pod/pod-state.ts";

interface PodOptions {
  readonly name?: string;
  readonly uid?: string;
  readonly gated?: boolean;
  readonly node?: string;
  readonly deleting?: boolean;
  readonly kept?: boolean;
  readonly phase?: string;
  readonly reason?: string;
  readonly disruption?: string;
  readonly main?: ContainerState;
  readonly init?: ContainerState;
  readonly wait?: ContainerState;
}

function podOf(options: PodOptions = {}): ObservedPod {
  const { name = "p0", uid = "u", gated = false, node = "n", deleting = false, kept = false } = options;
  const { phase = "Running", reason, disruption, main = {}, init = {}, wait } = options;
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      uid,
      finalizers: kept ? [] : [podFinalizer],
      ...(deleting ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: {
      ...(gated ? { schedulingGates: [{ name: recordedGate }] } : {}),
      ...(node === "" ? {} : { nodeName: node }),
      initContainers: [{ name: "init", image: "i" }],
      containers: [{ name: "main", image: "m" }],
    },
    status: {
      phase,
      ...(reason === undefined ? {} : { reason }),
      ...(disruption === undefined
        ? {}
        : { conditions: [{ type: "DisruptionTarget", status: "True", reason: disruption, message: "so it is" }] }),
      initContainerStatuses: [
        { name: "init", state: init },
        ...(wait === undefined ? [] : [{ name: "wait", state: wait }]),
      ],
      containerStatuses: [{ name: "main", state: main }],
    },
  };
  return observePod(pod);
}

const wanted = { runID: "j", operation: "RECONCILE" } as const;
const recorded: RunRecord = { ...wanted, attempt: 0, podUID: "u", result: undefined, error: undefined };
const retryPolicy = { onPodLoss: true, limit: 2 };

function decide(observed: Partial<ObservedRun>): unknown {
  const decision = decideRun({
    wanted,
    record: undefined,
    podName: (attempt) => `p${attempt}`,
    pods: [],
    retryPolicy: undefined,
    keepsPods: false,
    ...observed,
  });
  const short = JSON.parse(JSON.stringify(decision)) as Record<string, unknown>;
  const nameOf = (pod: unknown): unknown => (pod as { name?: unknown } | undefined)?.name;
  return {
    ...short,
    ...("pod" in short ? { pod: nameOf(short["pod"]) } : {}),
    ...("pods" in short ? { pods: (short["pods"] as unknown[]).map(nameOf) } : {}),
  };
}

const exit = (exitCode: number, reason = "Error"): ContainerState => ({ terminated: { exitCode, reason } });

describe("what is done about the run of a program", () => {
  it.each<readonly [string, Partial<ObservedRun>, object]>([
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
    [
      "its image could not be pulled once",
      { record: recorded, pods: [podOf({ main: { waiting: { reason: "ErrImagePull" } } })] },
      { type: "wait", pod: "p0" },
    ],
    [
      "its image cannot be pulled",
      { record: recorded, pods: [podOf({ main: { waiting: { reason: "ImagePullBackOff", message: "no" } } })] },
      {
        type: "failed",
        pod: "p0",
        trouble: { container: "main", image: "m", reason: "ImagePullBackOff", message: "no" },
      },
    ],
    [
      "the image of init has no name that can be",
      { record: recorded, pods: [podOf({ init: { waiting: { reason: "InvalidImageName" } } })] },
      {
        type: "failed",
        pod: "p0",
        trouble: { container: "init", image: "i", reason: "InvalidImageName", message: "" },
      },
    ],
    [
      "it has succeeded",
      { record: recorded, pods: [podOf({ phase: "Succeeded", wait: exit(0) })] },
      { type: "collect", pod: "p0" },
    ],
    [
      "it has succeeded, but wait has not kept what the program has left",
      { record: recorded, pods: [podOf({ phase: "Succeeded", wait: exit(1) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "it has succeeded, and nothing is known of wait",
      { record: recorded, pods: [podOf({ phase: "Succeeded" })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "it has failed by itself",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(3) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "it has failed by itself before its Pod was evicted",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(3) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "it used too much memory",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(137, "OOMKilled") })] },
      { type: "failed", pod: "p0" },
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
      "its Pod was evicted",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted" })] },
      { type: "lost", why: "Evicted", pod: "p0" },
    ],
    [
      "its Pod was preempted",
      { record: recorded, pods: [podOf({ phase: "Failed", disruption: "PreemptionByScheduler", main: exit(143) })] },
      { type: "lost", why: "PreemptionByScheduler: so it is", pod: "p0" },
    ],
    [
      "its node was started again",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(137, "ContainerStatusUnknown") })] },
      { type: "lost", why: "ContainerStatusUnknown", pod: "p0" },
    ],
    [
      "its Pod was deleted while it ran",
      { record: recorded, pods: [podOf({ phase: "Failed", deleting: true, main: exit(143) })] },
      { type: "lost", why: "it was deleted", pod: "p0" },
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
    expect(decide(observed)).toEqual(JSON.parse(JSON.stringify(decision)));
  });
});
