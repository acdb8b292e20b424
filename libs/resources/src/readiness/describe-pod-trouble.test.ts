import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { describeMissingPods, describeOwnTrouble, describePodTrouble, type Trouble } from "./describe-pod-trouble.ts";

type Parts = Readonly<Record<string, unknown>>;

function pod(name: string, status: Parts, more: Parts = {}): UnstructuredObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "n" }, status, ...more };
}

const main = (parts: Parts): Parts => ({ containerStatuses: [{ name: "main", ready: false, ...parts }] });
const waiting = (reason: string, message?: string): Parts => main({ state: { waiting: { reason, message } } });
const ended = (exitCode: number, reason: string): Parts => ({ terminated: { exitCode, reason } });
const running = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const withProbes = (...probes: readonly string[]): Parts => ({
  spec: { containers: [{ name: "main", ...Object.fromEntries(probes.map((probe) => [probe, { tcpSocket: {} }])) }] },
});
const condition = (type: string, reason: string, message = ""): Parts => ({
  conditions: [{ type, status: "False", reason, message }],
});

const rows: readonly (readonly [what: string, pod: UnstructuredObject, trouble: Trouble | undefined])[] = [
  ["a pod without a status", pod("p", {}), undefined],
  ["a pod whose containers are created", pod("p", waiting("ContainerCreating")), undefined],
  ["a pod that waits for its init containers", pod("p", waiting("PodInitializing")), undefined],
  ["a pod that runs", pod("p", main({ ready: true, state: running, lastState: ended(1, "Error") })), undefined],
  [
    "an image that cannot be pulled",
    pod("p", waiting("ImagePullBackOff")),
    { text: "container main: ImagePullBackOff" },
  ],
  ["the first failure to pull", pod("p", waiting("ErrImagePull", "secret")), { text: "container main: ErrImagePull" }],
  [
    "a container that crashes again and again",
    pod("p", main({ state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: ended(7, "Error") })),
    { text: "container main: CrashLoopBackOff, exited with 7 (Error)" },
  ],
  [
    "a container without memory",
    pod("p", main({ state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: ended(137, "OOMKilled") })),
    { text: "container main: CrashLoopBackOff, exited with 137 (OOMKilled)" },
  ],
  ["a crash", pod("p", main({ state: ended(1, "Error") })), { text: "container main: exited with 1 (Error)" }],
  [
    "a crash before the present run",
    pod("p", main({ state: running, lastState: ended(137, "OOMKilled") })),
    { text: "container main: exited with 137 (OOMKilled), and was started again" },
  ],
  [
    "an init container that has ended well after a crash",
    pod("p", { initContainerStatuses: [{ name: "init", state: ended(0, "Completed"), lastState: ended(1, "Error") }] }),
    undefined,
  ],
  [
    "a configuration that is missing, in the kubelet's words",
    pod("p", waiting("CreateContainerConfigError", 'secret "db" not found')),
    { text: "container main: CreateContainerConfigError", said: 'secret "db" not found' },
  ],
  [
    "a container that cannot be run, without the words of the runtime",
    pod("p", waiting("RunContainerError", "exec --password=hunter2")),
    { text: "container main: RunContainerError" },
  ],
  ["a reason that is no word", pod("p", waiting("no reason <script>")), undefined],
  ["an evicted pod", pod("p", { phase: "Failed", reason: "Evicted" }), { text: "has failed (Evicted)" }],
  [
    "a pod without a node, in the scheduler's words",
    pod("p", condition("PodScheduled", "Unschedulable", "0/1 nodes are available")),
    { text: "is not scheduled (Unschedulable)", said: "0/1 nodes are available" },
  ],
  [
    "a readiness probe",
    pod("p", main({ state: running, started: true }), withProbes("startupProbe", "readinessProbe")),
    { text: "container main: its readiness probe has not succeeded" },
  ],
  [
    "a startup probe",
    pod("p", main({ state: running, started: false }), withProbes("startupProbe", "readinessProbe")),
    { text: "container main: its startup probe has not succeeded" },
  ],
  ["a container without probes that has just started", pod("p", main({ state: running }), withProbes()), undefined],
  [
    "a readiness gate",
    pod("p", { ...main({ ready: true, state: running }), ...condition("Ready", "ReadinessGatesNotReady") }),
    { text: "a readiness gate is not fulfilled" },
  ],
];

describe("what is wrong with a pod", () => {
  it.each(rows)("%s", (_what, object, trouble) => {
    expect(describeOwnTrouble(object)).toEqual(trouble);
    const inAll = describePodTrouble([object]);
    expect(inAll).toEqual(trouble === undefined ? undefined : { ...trouble, text: `Pod p: ${trouble.text}` });
  });
});

describe("what is wrong with several pods", () => {
  const probing = pod("a", main({ state: running, started: true }), withProbes("readinessProbe"));
  const leaving = pod("0", waiting("ImagePullBackOff"));
  const deleted = { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
  const pulling = (name: string): UnstructuredObject => pod(name, waiting("ImagePullBackOff"));

  it.each<readonly [string, readonly UnstructuredObject[], string | undefined]>([
    ["nothing when there are none", [], undefined],
    ["nothing of one that is deleted", [deleted], undefined],
    [
      "what needs a change before what needs time",
      [probing, pulling("b")],
      "Pod b (and 1 more pod has trouble): container main: ImagePullBackOff",
    ],
    [
      "the first by name, whatever the order",
      [pulling("c"), pulling("b"), probing],
      "Pod b (and 2 more pods have trouble): container main: ImagePullBackOff",
    ],
  ])("is %s", (_what, pods, text) => {
    expect(describePodTrouble(pods)?.text).toBe(text);
  });
});

describe("why a workload has no pods", () => {
  const workload = (...conditions: readonly Parts[]): UnstructuredObject => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    status: { conditions },
  });
  const failure = { type: "ReplicaFailure", reason: "FailedCreate", message: "exceeded quota: small" };

  it.each<readonly [string, UnstructuredObject, Trouble | undefined]>([
    [
      "a quota",
      workload({ ...failure, status: "True" }),
      { text: "its pods cannot be created (FailedCreate)", said: "exceeded quota: small" },
    ],
    ["a failure that is over", workload({ ...failure, status: "False" }), undefined],
    ["nothing", workload(), undefined],
  ])("%s", (_what, object, trouble) => {
    expect(describeMissingPods(object)).toEqual(trouble);
  });
});
