import { describe, expect, it } from "@jest/globals";
import {
  decide,
  exit,
  plain,
  podOf,
  recorded,
  retryPolicy,
  running,
  type Observed,
} from "../../../test/observed-runs.ts";

describe("a run whose Pod is recorded", () => {
  it.each<readonly [string, Observed, object]>([
    [
      "succeeds when main and wait have exited with 0",
      { record: recorded, pods: [podOf({ phase: "Succeeded", main: exit(0), wait: exit(0) })] },
      { type: "collect", pod: "p0" },
    ],
    [
      "succeeds before the Pod reaches its last phase",
      { record: recorded, pods: [podOf({ main: exit(0), wait: exit(0) })] },
      { type: "collect", pod: "p0" },
    ],
    [
      "succeeds although an added container runs and wait runs again",
      {
        record: recorded,
        pods: [
          podOf({ main: exit(0, "Completed", 1), wait: running, lastWait: exit(0, "Completed", 1), proxy: running }),
        ],
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "fails although an added container runs and wait runs again",
      {
        record: recorded,
        pods: [podOf({ main: exit(3, "Error", 1), wait: running, lastWait: exit(0, "Completed", 2), proxy: running })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "fails when wait could not save, although an added container runs",
      {
        record: recorded,
        pods: [podOf({ main: exit(0, "Completed", 1), wait: running, lastWait: exit(1, "Error", 2), proxy: running })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "succeeds when the first run of wait has saved and the second has not",
      {
        record: recorded,
        pods: [
          podOf({
            main: exit(0, "Completed", 1),
            wait: exit(1, "Error", 3),
            lastWait: exit(0, "Completed", 2),
            proxy: running,
          }),
        ],
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "continues when wait has exited before the program and runs again",
      {
        record: recorded,
        pods: [
          podOf({ main: exit(0, "Completed", 2), wait: running, lastWait: exit(137, "OOMKilled", 1), proxy: running }),
        ],
      },
      { type: "wait", pod: "p0" },
    ],
    [
      "continues when wait has not saved and the Pod has not reached its last phase",
      { record: recorded, pods: [podOf({ main: exit(143), wait: exit(2) })] },
      { type: "wait", pod: "p0" },
    ],
    [
      "succeeds when the clock of the node was set back before wait exited",
      {
        record: recorded,
        pods: [podOf({ phase: "Succeeded", main: exit(0, "Completed", 5), wait: exit(0, "Completed", 2) })],
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "succeeds when the Pod was evicted after wait had saved",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", disruption: "EvictionByEvictionAPI", main: exit(0), wait: exit(0) })],
        retryPolicy,
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "retries when the node was drained and wait missed the exit of the program with 0",
      {
        record: recorded,
        pods: [
          podOf({
            phase: "Succeeded",
            disruption: "EvictionByEvictionAPI",
            deleting: true,
            main: exit(0),
            wait: exit(2),
          }),
        ],
        retryPolicy,
      },
      { type: "retry", attempt: 1, why: "EvictionByEvictionAPI: so it is" },
    ],
    [
      "fails with PodLost when the node was drained and wait missed the exit of the program with 1",
      {
        record: recorded,
        pods: [
          podOf({ phase: "Failed", disruption: "EvictionByEvictionAPI", deleting: true, main: exit(1), wait: exit(2) }),
        ],
      },
      { type: "lost", why: "EvictionByEvictionAPI: so it is", pod: "p0" },
    ],
    [
      "fails with PodLost when another client has deleted the Pod and wait missed the exit of the program with 0",
      { record: recorded, pods: [podOf({ phase: "Succeeded", deleting: true, main: exit(0), wait: exit(2) })] },
      { type: "lost", why: "it was deleted", pod: "p0" },
    ],
    [
      "fails with PodLost when another client has deleted the Pod and wait was killed",
      { record: recorded, pods: [podOf({ phase: "Failed", deleting: true, main: exit(143), wait: exit(137) })] },
      { type: "lost", why: "it was deleted", pod: "p0" },
    ],
    [
      "fails when wait could not save and another client has deleted the Pod afterwards",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", deleting: true, main: exit(3), wait: exit(1) })],
        retryPolicy,
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "fails when wait could not save",
      { record: recorded, pods: [podOf({ phase: "Succeeded", main: exit(0), wait: exit(1) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "fails when wait has no status",
      { record: recorded, pods: [podOf({ phase: "Succeeded", main: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "fails when the program has exited with its own code",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(3), wait: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "fails when the program has exited with its own code before the Pod was evicted",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(3), wait: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "fails when init has failed",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", init: exit(1), main: { waiting: { reason: "PodInitializing" } } })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "fails when the program exceeded its memory limit",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(137, "OOMKilled"), wait: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "fails when the program exceeded its memory limit and another client has deleted the Pod afterwards",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", deleting: true, main: exit(137, "OOMKilled"), wait: exit(0) })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "fails with PodLost when the Pod was evicted",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted" })] },
      { type: "lost", why: "Evicted", pod: "p0" },
    ],
    [
      "fails with PodLost when the Pod was evicted and wait missed the exit of the program with 3",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(3), wait: exit(2) })] },
      { type: "lost", why: "Evicted", pod: "p0" },
    ],
    [
      "fails with PodLost when the Pod was evicted and the program was killed, although wait has saved",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(137), wait: exit(0) })] },
      { type: "lost", why: "Evicted", pod: "p0" },
    ],
    [
      "fails with PodLost when the Pod was preempted",
      { record: recorded, pods: [podOf({ phase: "Failed", disruption: "PreemptionByScheduler", main: exit(143) })] },
      { type: "lost", why: "PreemptionByScheduler: so it is", pod: "p0" },
    ],
    [
      "fails with PodLost when the kubelet no longer finds the program",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(137, "ContainerStatusUnknown") })] },
      { type: "lost", why: "ContainerStatusUnknown", pod: "p0" },
    ],
    [
      "fails with PodLost when the kubelet no longer finds the program, although wait has saved",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", main: exit(137, "ContainerStatusUnknown"), wait: exit(0) })],
      },
      { type: "lost", why: "ContainerStatusUnknown", pod: "p0" },
    ],
    [
      "fails with PodLost when the node was restarted",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(255, "Unknown"), wait: exit(255, "Unknown") })] },
      { type: "lost", why: "Unknown", pod: "p0" },
    ],
    [
      "fails with PodLost when the node was restarted while init ran",
      {
        record: recorded,
        pods: [
          podOf({ phase: "Failed", init: exit(255, "Unknown"), main: { waiting: { reason: "PodInitializing" } } }),
        ],
      },
      { type: "lost", why: "Unknown", pod: "p0" },
    ],
    [
      "fails with PodLost when the node has refused the Pod",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "TopologyAffinityError", bare: true })] },
      { type: "lost", why: "TopologyAffinityError", pod: "p0" },
    ],
    [
      "fails when the deadline of the Pod passed before a container started",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "DeadlineExceeded", bare: true })] },
      { type: "failed", pod: "p0" },
    ],
  ])("%s", (...[, observed, decision]) => {
    expect(decide(observed)).toEqual(plain(decision));
  });
});
