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

describe("the end of a run", () => {
  it.each<readonly [string, Observed, object]>([
    [
      "is a success when main and wait have ended with 0",
      { record: recorded, pods: [podOf({ phase: "Succeeded", main: exit(0), wait: exit(0) })] },
      { type: "collect", pod: "p0" },
    ],
    [
      "is a success before the Pod has its last phase",
      { record: recorded, pods: [podOf({ main: exit(0), wait: exit(0) })] },
      { type: "collect", pod: "p0" },
    ],
    [
      "is a success although a container of others runs and wait runs again",
      {
        record: recorded,
        pods: [
          podOf({ main: exit(0, "Completed", 1), wait: running, lastWait: exit(0, "Completed", 1), proxy: running }),
        ],
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "is a failure although a container of others runs and wait runs again",
      {
        record: recorded,
        pods: [podOf({ main: exit(3, "Error", 1), wait: running, lastWait: exit(0, "Completed", 2), proxy: running })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a failure when wait could not save, although a container of others runs",
      {
        record: recorded,
        pods: [podOf({ main: exit(0, "Completed", 1), wait: running, lastWait: exit(1, "Error", 2), proxy: running })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a success when wait has saved at its first end, and not at its second",
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
      "is open when wait has ended before the program, and runs again",
      {
        record: recorded,
        pods: [
          podOf({ main: exit(0, "Completed", 2), wait: running, lastWait: exit(137, "OOMKilled", 1), proxy: running }),
        ],
      },
      { type: "wait", pod: "p0" },
    ],
    [
      "is open when wait has not saved, and the Pod does not have its last phase yet",
      { record: recorded, pods: [podOf({ main: exit(143), wait: exit(2) })] },
      { type: "wait", pod: "p0" },
    ],
    [
      "is a success when the clock of the node was set back before wait ended",
      {
        record: recorded,
        pods: [podOf({ phase: "Succeeded", main: exit(0, "Completed", 5), wait: exit(0, "Completed", 2) })],
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "is a success when the Pod was evicted after wait had saved",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", disruption: "EvictionByEvictionAPI", main: exit(0), wait: exit(0) })],
        retryPolicy,
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "is a loss when the node was drained, and the program has ended with 0 before wait knew",
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
      "is a loss when the node was drained, and the program has ended with 1 before wait knew",
      {
        record: recorded,
        pods: [
          podOf({ phase: "Failed", disruption: "EvictionByEvictionAPI", deleting: true, main: exit(1), wait: exit(2) }),
        ],
      },
      { type: "lost", why: "EvictionByEvictionAPI: so it is", pod: "p0" },
    ],
    [
      "is a loss when somebody has deleted the Pod, and the program has ended with 0 before wait knew",
      { record: recorded, pods: [podOf({ phase: "Succeeded", deleting: true, main: exit(0), wait: exit(2) })] },
      { type: "lost", why: "it was deleted", pod: "p0" },
    ],
    [
      "is a loss when somebody has deleted the Pod, and wait was killed",
      { record: recorded, pods: [podOf({ phase: "Failed", deleting: true, main: exit(143), wait: exit(137) })] },
      { type: "lost", why: "it was deleted", pod: "p0" },
    ],
    [
      "is a failure when wait could not save, and somebody has deleted the Pod later",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", deleting: true, main: exit(3), wait: exit(1) })],
        retryPolicy,
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a failure when wait could not save",
      { record: recorded, pods: [podOf({ phase: "Succeeded", main: exit(0), wait: exit(1) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a failure when nothing is known of wait",
      { record: recorded, pods: [podOf({ phase: "Succeeded", main: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a failure when the program has ended with a code of its own",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(3), wait: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a failure when the program has ended with a code of its own before the Pod was evicted",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(3), wait: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a failure when init has failed",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", init: exit(1), main: { waiting: { reason: "PodInitializing" } } })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a failure when the program took too much memory",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(137, "OOMKilled"), wait: exit(0) })] },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a failure when the program took too much memory, and somebody has deleted the Pod later",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", deleting: true, main: exit(137, "OOMKilled"), wait: exit(0) })],
      },
      { type: "failed", pod: "p0" },
    ],
    [
      "is a loss when the Pod was evicted",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted" })] },
      { type: "lost", why: "Evicted", pod: "p0" },
    ],
    [
      "is a loss when the Pod was evicted, and the program has ended with 3 before wait knew",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(3), wait: exit(2) })] },
      { type: "lost", why: "Evicted", pod: "p0" },
    ],
    [
      "is a loss when the Pod was evicted, the program was killed, and wait has saved",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "Evicted", main: exit(137), wait: exit(0) })] },
      { type: "lost", why: "Evicted", pod: "p0" },
    ],
    [
      "is a loss when the Pod was preempted",
      { record: recorded, pods: [podOf({ phase: "Failed", disruption: "PreemptionByScheduler", main: exit(143) })] },
      { type: "lost", why: "PreemptionByScheduler: so it is", pod: "p0" },
    ],
    [
      "is a loss when the kubelet does not find the program any more",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(137, "ContainerStatusUnknown") })] },
      { type: "lost", why: "ContainerStatusUnknown", pod: "p0" },
    ],
    [
      "is a loss when the kubelet does not find the program any more, and wait has saved",
      {
        record: recorded,
        pods: [podOf({ phase: "Failed", main: exit(137, "ContainerStatusUnknown"), wait: exit(0) })],
      },
      { type: "lost", why: "ContainerStatusUnknown", pod: "p0" },
    ],
    [
      "is a loss when the node was restarted",
      { record: recorded, pods: [podOf({ phase: "Failed", main: exit(255, "Unknown"), wait: exit(255, "Unknown") })] },
      { type: "lost", why: "Unknown", pod: "p0" },
    ],
    [
      "is a loss when the node was restarted while init ran",
      {
        record: recorded,
        pods: [
          podOf({ phase: "Failed", init: exit(255, "Unknown"), main: { waiting: { reason: "PodInitializing" } } }),
        ],
      },
      { type: "lost", why: "Unknown", pod: "p0" },
    ],
    [
      "is a loss when the node has refused the Pod",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "TopologyAffinityError", bare: true })] },
      { type: "lost", why: "TopologyAffinityError", pod: "p0" },
    ],
    [
      "is a failure when the time of the Pod was over before a container started",
      { record: recorded, pods: [podOf({ phase: "Failed", reason: "DeadlineExceeded", bare: true })] },
      { type: "failed", pod: "p0" },
    ],
  ])("%s", (...[, observed, decision]) => {
    expect(decide(observed)).toEqual(plain(decision));
  });
});
