import { describe, expect, it } from "@jest/globals";
import { decide, exit, plain, podOf, recorded, retryPolicy, running } from "../../../test/observed-runs.ts";
import type { ObservedRun } from "./decide-run.ts";

describe("what is done about a program that has ended", () => {
  it.each<readonly [string, Partial<ObservedRun>, object]>([
    [
      "it has succeeded",
      { record: recorded, pods: [podOf({ phase: "Succeeded", main: exit(0), wait: exit(0) })] },
      { type: "collect", pod: "p0" },
    ],
    [
      "it has succeeded, and a container that others have added runs",
      {
        record: recorded,
        pods: [podOf({ main: exit(0, "Completed", 1), wait: running, lastWait: exit(0, "Completed", 1) })],
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "it has failed, and a container that others have added runs",
      {
        record: recorded,
        pods: [podOf({ main: exit(3, "Error", 1), wait: running, lastWait: exit(0, "Completed", 2) })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "it has succeeded, and what it has left could not be saved, and a container that others have added runs",
      {
        record: recorded,
        pods: [podOf({ main: exit(0, "Completed", 1), wait: running, lastWait: exit(1, "Error", 2) })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "it has succeeded, and wait was started again while it ran",
      {
        record: recorded,
        pods: [podOf({ main: exit(0, "Completed", 2), wait: running, lastWait: exit(137, "OOMKilled", 1) })],
      },
      { type: "wait", pod: "p0" },
    ],
    [
      "it has succeeded, and its Pod was evicted after what it has left was saved",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", disruption: "EvictionByEvictionAPI", main: exit(0), wait: exit(0) })],
        retryPolicy,
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "it has succeeded while its Pod was drained, and what it has left is not saved",
      {
        record: recorded,
        pods: [
          podOf({
            phase: "Succeeded",
            disruption: "EvictionByEvictionAPI",
            deleting: true,
            main: exit(0),
            wait: exit(1),
          }),
        ],
        retryPolicy,
      },
      { type: "retry", attempt: 1, why: "EvictionByEvictionAPI: so it is" },
    ],
    [
      "it has failed while its Pod was drained",
      {
        record: recorded,
        pods: [
          podOf({ phase: "Failed", disruption: "EvictionByEvictionAPI", deleting: true, main: exit(1), wait: exit(1) }),
        ],
      },
      { type: "lost", why: "EvictionByEvictionAPI: so it is", pod: "p0" },
    ],
    [
      "it has succeeded while its Pod was deleted by hand, and what it has left is not saved",
      { record: recorded, pods: [podOf({ phase: "Succeeded", deleting: true, main: exit(0), wait: exit(1) })] },
      { type: "lost", why: "it was deleted", pod: "p0" },
    ],
    [
      "it has succeeded, but wait has not kept what the program has left",
      { record: recorded, pods: [podOf({ phase: "Succeeded", main: exit(0), wait: exit(1) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "it has succeeded, and nothing is known of wait",
      { record: recorded, pods: [podOf({ phase: "Succeeded", main: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "it has failed by itself",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(3), wait: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "init has failed",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", init: exit(1), main: { waiting: { reason: "PodInitializing" } } })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "it has failed by itself before its Pod was evicted",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(3), wait: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "its Pod was evicted, and what it had left is saved",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(137), wait: exit(0) })] },
      { type: "lost", why: "Evicted", pod: "p0" },
    ],
    [
      "it used too much memory, and its Pod was deleted later",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", deleting: true, main: exit(137, "OOMKilled"), wait: exit(0) })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "its Pod was evicted, and it has ended with a code of its own",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(3), wait: exit(1) })] },
      { type: "lost", why: "Evicted", pod: "p0" },
    ],
    [
      "it used too much memory",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(137, "OOMKilled"), wait: exit(0) })] },
      { type: "failed", pod: "p0" },
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
      "its node was started again, and what it has left is saved",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", main: exit(137, "ContainerStatusUnknown"), wait: exit(0) })],
      },
      { type: "lost", why: "ContainerStatusUnknown", pod: "p0" },
    ],
    [
      "its Pod was deleted while it ran",
      { record: recorded, pods: [podOf({ phase: "Failed", deleting: true, main: exit(143) })] },
      { type: "lost", why: "it was deleted", pod: "p0" },
    ],
  ])("when %s", (...[, observed, decision]) => {
    expect(decide(observed)).toEqual(plain(decision));
  });
});
