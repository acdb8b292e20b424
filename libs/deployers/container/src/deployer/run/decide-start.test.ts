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

describe("what is done about a program that does not start", () => {
  it.each<readonly [string, Observed, object]>([
    ...[
      "ErrImagePull",
      "ImagePullBackOff",
      "RegistryUnavailable",
      "CreateContainerError",
      "CreateContainerConfigError",
    ].map((reason): readonly [string, Observed, object] => [
      `it fails to start with ${reason}`,
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
      `it is on its way with ${reason}`,
      { record: recorded, pods: [podOf({ main: { waiting: { reason } } })], failingMs: 120_000 },
      { type: "wait", pod: "p0" },
    ]),
    [
      "it has failed to start for too long",
      { record: recorded, pods: [podOf({ main: pulling })], failingMs: 120_000 },
      { type: "giveUp", pod: "p0", failing: { trouble: pullTrouble, failingMs: 120_000 } },
    ],
    [
      "wait has failed to start for too long",
      { record: recorded, pods: [podOf({ init: exit(0), wait: pulling })], failingMs: 120_000 },
      {
        type: "giveUp",
        pod: "p0",
        failing: { trouble: { ...pullTrouble, container: "wait", image: "w" }, failingMs: 120_000 },
      },
    ],
    [
      "it runs, and wait does not start again",
      { record: recorded, pods: [podOf({ init: exit(0), main: running, wait: pulling })], failingMs: 120_000 },
      { type: "wait", pod: "p0" },
    ],
    ...["InvalidImageName"].map((reason): readonly [string, Observed, object] => [
      `the image of init cannot be used: ${reason}`,
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
      "wait is started again after it has run",
      { record: recorded, pods: [podOf({ init: exit(0), wait: crashing, lastWait: exit(1) })], failingMs: 120_000 },
      { type: "wait", pod: "p0" },
    ],
    [
      "wait cannot be started by the container runtime",
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
      "a container of others fails to start before it",
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
      "it is given up, and its Pod is not being deleted yet",
      { record: { ...recorded, givenUp }, pods: [podOf({ main: pulling })] },
      { type: "end", pod: "p0" },
    ],
    [
      "it is given up, and has started before its Pod was deleted",
      { record: { ...recorded, givenUp }, pods: [podOf({ main: running })] },
      { type: "wait", pod: "p0" },
    ],
    [
      "it is given up, and its Pod is being deleted",
      { record: { ...recorded, givenUp }, pods: [podOf({ main: pulling, deleting: true })] },
      { type: "wait", pod: "p0" },
    ],
    [
      "it is given up, and its Pod has ended before it has started",
      {
        record: { ...recorded, givenUp },
        pods: [podOf({ phase: "Failed", deleting: true, main: exit(137, "ContainerStatusUnknown") })],
        retryPolicy,
      },
      { type: "notStarted", pod: "p0" },
    ],
    ["it is given up, and its Pod is gone", { record: { ...recorded, givenUp }, retryPolicy }, { type: "notStarted" }],
    [
      "it is given up, and its Pod was deleted before it had a node",
      { record: { ...recorded, givenUp }, pods: [podOf({ node: "", phase: "Pending", deleting: true })], retryPolicy },
      { type: "notStarted", pod: "p0" },
    ],
    [
      "it is given up, and has succeeded all the same",
      {
        record: { ...recorded, givenUp },
        pods: [podOf({ phase: "Succeeded", deleting: true, main: exit(0), wait: exit(0) })],
      },
      { type: "collect", pod: "p0" },
    ],
    [
      "it is given up, and was killed after it had started",
      {
        record: { ...recorded, givenUp },
        pods: [podOf({ phase: "Failed", deleting: true, main: exit(143), wait: exit(2) })],
      },
      { type: "lost", why: "it was deleted", pod: "p0" },
    ],
  ])("when %s", (...[, observed, decision]) => {
    expect(decide(observed)).toEqual(plain(decision));
  });
});
