import { describe, expect, it } from "@jest/globals";
import {
  crashing,
  decide,
  exit,
  givenUp,
  plain,
  podOf,
  pullTrouble,
  pulling,
  recorded,
  retryPolicy,
  running,
  type Observed,
} from "../../../test/observed-runs.ts";

describe("a program that does not start", () => {
  it.each<readonly [string, Observed, object]>([
    ...[
      "ErrImagePull",
      "ImagePullBackOff",
      "RegistryUnavailable",
      "CreateContainerError",
      "CreateContainerConfigError",
    ].map((reason): readonly [string, Observed, object] => [
      `waits for the rest of its grace when the reason is ${reason}`,
      {
        record: recorded,
        pods: [podOf({ phase: "Pending", main: { waiting: { reason, message: "no" } } })],
        failingMs: 119_999,
      },
      {
        type: "wait",
        pod: "p0",
        failing: { trouble: { ...pullTrouble, reason }, failingMs: 119_999, leftMs: 1 },
      },
    ]),
    ...["ContainerCreating", "PodInitializing"].map((reason): readonly [string, Observed, object] => [
      `waits without a limit when the reason is ${reason}`,
      { record: recorded, pods: [podOf({ main: { waiting: { reason } } })], failingMs: 120_000 },
      { type: "wait", pod: "p0" },
    ]),
    [
      "gives up its Pod when it has failed to start for too long",
      { record: recorded, pods: [podOf({ main: pulling })], failingMs: 120_000 },
      { type: "giveUp", pod: "p0", failing: { trouble: pullTrouble, failingMs: 120_000 } },
    ],
    [
      "gives up its Pod when wait has failed to start for too long",
      { record: recorded, pods: [podOf({ init: exit(0), wait: pulling })], failingMs: 120_000 },
      {
        type: "giveUp",
        pod: "p0",
        failing: { trouble: { ...pullTrouble, container: "wait", image: "w" }, failingMs: 120_000 },
      },
    ],
    [
      "waits when it runs and wait does not start again",
      { record: recorded, pods: [podOf({ init: exit(0), main: running, wait: pulling })], failingMs: 120_000 },
      { type: "wait", pod: "p0" },
    ],
    ...["InvalidImageName"].map((reason): readonly [string, Observed, object] => [
      `gives up its Pod at once when init has ${reason}`,
      { record: recorded, pods: [podOf({ init: { waiting: { reason } } })] },
      {
        type: "giveUp",
        pod: "p0",
        failing: {
          trouble: { container: "init", image: "i", reason, message: "", isFinal: true },
          failingMs: 0,
        },
      },
    ]),
    [
      "waits when wait restarts after a run",
      { record: recorded, pods: [podOf({ init: exit(0), wait: crashing, lastWait: exit(1) })], failingMs: 120_000 },
      { type: "wait", pod: "p0" },
    ],
    [
      "gives up its Pod when the container runtime cannot start wait",
      {
        record: recorded,
        pods: [podOf({ init: exit(0), wait: crashing, lastWait: exit(128, "StartError") })],
        failingMs: 120_000,
      },
      {
        type: "giveUp",
        pod: "p0",
        failing: {
          trouble: { container: "wait", image: "w", reason: "CrashLoopBackOff", message: "", isFinal: false },
          failingMs: 120_000,
        },
      },
    ],
    [
      "waits when an added container fails to start before it",
      { record: recorded, pods: [podOf({ mesh: pulling, main: { waiting: { reason: "PodInitializing" } } })] },
      {
        type: "wait",
        pod: "p0",
        failing: {
          trouble: { ...pullTrouble, container: "mesh-init", image: "" },
          failingMs: 0,
          leftMs: 120_000,
        },
      },
    ],
    [
      "deletes its Pod once it is given up",
      { record: { ...recorded, givenUp }, pods: [podOf({ main: pulling })] },
      { type: "end", pod: "p0" },
    ],
    [
      "waits when it is given up but has started before its Pod was deleted",
      { record: { ...recorded, givenUp }, pods: [podOf({ main: running })] },
      { type: "wait", pod: "p0" },
    ],
    [
      "waits when it is given up and its Pod is being deleted",
      { record: { ...recorded, givenUp }, pods: [podOf({ main: pulling, deleting: true })] },
      { type: "wait", pod: "p0" },
    ],
    [
      "fails when it is given up and its Pod has ended before the start",
      {
        record: { ...recorded, givenUp },
        pods: [podOf({ phase: "Failed", deleting: true, main: exit(137, "ContainerStatusUnknown") })],
        retryPolicy,
      },
      { type: "notStarted", pod: "p0" },
    ],
    [
      "fails when it is given up and its Pod no longer exists",
      { record: { ...recorded, givenUp }, retryPolicy },
      { type: "notStarted" },
    ],
    [
      "fails when it is given up and its Pod was deleted before it had a node",
      { record: { ...recorded, givenUp }, pods: [podOf({ node: "", phase: "Pending", deleting: true })], retryPolicy },
      { type: "notStarted", pod: "p0" },
    ],
    [
      "succeeds when it is given up but has exited with 0",
      {
        record: { ...recorded, givenUp },
        pods: [podOf({ phase: "Succeeded", deleting: true, main: exit(0), wait: exit(0) })],
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "fails with PodLost when it is given up but was killed after its start",
      {
        record: { ...recorded, givenUp },
        pods: [podOf({ phase: "Failed", deleting: true, main: exit(143), wait: exit(2) })],
      },
      { type: "lost", why: "it was deleted", pod: "p0" },
    ],
  ])("%s", (...[, observed, decision]) => {
    expect(decide(observed)).toEqual(plain(decision));
  });
});
