import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { describeOwnTrouble, describePodTrouble, describeWorkloadTrouble } from "./describe-pod-trouble.ts";
import type { Trouble } from "./pod-trouble.ts";
import { remedies } from "./remedies.ts";

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
    { text: "container main: ImagePullBackOff", remedy: remedies.image },
  ],
  [
    "the first failure to pull",
    pod("p", waiting("ErrImagePull", "secret")),
    { text: "container main: ErrImagePull", remedy: remedies.image },
  ],
  [
    "a container that crashes again and again",
    pod("p", main({ state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: ended(7, "Error") })),
    {
      text: "container main: CrashLoopBackOff, exited with 7 (Error)",
      remedy: remedies.crash,
      log: { container: "main", previous: true },
    },
  ],
  [
    "a container without memory",
    pod("p", main({ state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: ended(137, "OOMKilled") })),
    {
      text: "container main: CrashLoopBackOff, exited with 137 (OOMKilled)",
      remedy: remedies.memory,
      log: { container: "main", previous: true },
    },
  ],
  [
    "a crash",
    pod("p", main({ state: ended(1, "Error") })),
    {
      text: "container main: exited with 1 (Error)",
      remedy: remedies.crash,
      log: { container: "main", previous: false },
    },
  ],
  [
    "a crash before the present run",
    pod("p", main({ state: running, lastState: ended(137, "OOMKilled") })),
    {
      text: "container main: exited with 137 (OOMKilled), and was started again",
      remedy: remedies.memory,
      log: { container: "main", previous: true },
    },
  ],
  [
    "a crash after which the container is ready, which may be long past",
    pod("p", main({ ready: true, state: running, lastState: ended(1, "Error"), restartCount: 1 })),
    undefined,
  ],
  [
    "crashes again and again, after which the container is ready for a moment",
    pod("p", main({ ready: true, state: running, lastState: ended(1, "Error"), restartCount: 4 })),
    {
      text: "container main: exited with 1 (Error), and was started again 4 times",
      remedy: remedies.crash,
      log: { container: "main", previous: true },
    },
  ],
  [
    "crashes again and again, while the container is not ready yet",
    pod("p", main({ state: running, lastState: ended(137, "OOMKilled"), restartCount: 4 })),
    {
      text: "container main: exited with 137 (OOMKilled), and was started again 4 times",
      remedy: remedies.memory,
      log: { container: "main", previous: true },
    },
  ],
  [
    "crashes again and again, just after the last one",
    pod("p", main({ state: ended(1, "Error"), lastState: ended(2, "Error"), restartCount: 4 })),
    {
      text: "container main: exited with 1 (Error)",
      remedy: remedies.crash,
      log: { container: "main", previous: false },
    },
  ],
  [
    "a container that is created again after a crash",
    pod("p", main({ state: { waiting: { reason: "ContainerCreating" } }, lastState: ended(1, "Error") })),
    {
      text: "container main: exited with 1 (Error), and was started again",
      remedy: remedies.crash,
      log: { container: "main", previous: true },
    },
  ],
  [
    "a back-off whose last run the runtime has forgotten",
    pod("p", main({ state: { waiting: { reason: "CrashLoopBackOff" } }, restartCount: 3 })),
    {
      text: "container main: CrashLoopBackOff",
      remedy: remedies.crash,
      log: { container: "main", previous: true },
    },
  ],
  [
    "a program that exits with 0 although it must keep running",
    pod("p", main({ state: ended(0, "Completed") }), { spec: { restartPolicy: "Always" } }),
    {
      text: "container main: exited with 0 (Completed)",
      remedy: remedies.ended,
      log: { container: "main", previous: false },
    },
  ],
  [
    "a program that ends without an error again and again",
    pod("p", main({ ready: true, state: running, lastState: ended(0, "Completed"), restartCount: 2 })),
    {
      text: "container main: exited with 0 (Completed), and was started again 2 times",
      remedy: remedies.ended,
      log: { container: "main", previous: true },
    },
  ],
  [
    "a program of a Job that has ended",
    pod("p", main({ state: ended(0, "Completed") }), { spec: { restartPolicy: "OnFailure" } }),
    undefined,
  ],
  [
    "an init container that has ended well after a crash",
    pod("p", { initContainerStatuses: [{ name: "init", state: ended(0, "Completed"), lastState: ended(1, "Error") }] }),
    undefined,
  ],
  [
    "a configuration that is missing, in the kubelet's words",
    pod("p", waiting("CreateContainerConfigError", 'secret "db" not found')),
    {
      text: "container main: CreateContainerConfigError",
      said: 'secret "db" not found',
      remedy: remedies.configuration,
    },
  ],
  [
    "a container that cannot be run, without the words of the runtime",
    pod("p", waiting("RunContainerError", "exec --password=hunter2")),
    { text: "container main: RunContainerError", remedy: remedies.start },
  ],
  ["a reason that is no word", pod("p", waiting("no reason <script>")), undefined],
  [
    "an evicted pod",
    pod("p", { phase: "Failed", reason: "Evicted" }),
    { text: "has failed (Evicted)", remedy: remedies.failed },
  ],
  [
    "a pod without a node, in the scheduler's words",
    pod("p", condition("PodScheduled", "Unschedulable", "0/1 nodes are available")),
    { text: "is not scheduled (Unschedulable)", said: "0/1 nodes are available", remedy: remedies.unscheduled },
  ],
  [
    "a readiness probe",
    pod("p", main({ state: running, started: true }), withProbes("startupProbe", "readinessProbe")),
    { text: "container main: its readiness probe has not succeeded", remedy: remedies.probe },
  ],
  [
    "a startup probe",
    pod("p", main({ state: running, started: false }), withProbes("startupProbe", "readinessProbe")),
    { text: "container main: its startup probe has not succeeded", remedy: remedies.probe },
  ],
  ["a container without probes that has just started", pod("p", main({ state: running }), withProbes()), undefined],
  [
    "a readiness gate",
    pod("p", { ...main({ ready: true, state: running }), ...condition("Ready", "ReadinessGatesNotReady") }),
    { text: "a readiness gate is not fulfilled", remedy: remedies.gate },
  ],
];

describe("what is wrong with a pod", () => {
  it.each(rows)("%s", (_what, object, trouble) => {
    expect(describeOwnTrouble(object)).toEqual(trouble);
    const inAll = describePodTrouble([object]);
    expect(inAll).toEqual(
      trouble === undefined ? undefined : { ...trouble, text: `Pod p: ${trouble.text}`, pod: object },
    );
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
      { text: "its pods cannot be created (FailedCreate)", said: "exceeded quota: small", remedy: remedies.noPods },
    ],
    ["a failure that is over", workload({ ...failure, status: "False" }), undefined],
    ["nothing", workload(), undefined],
    ["a pause", { ...workload(), spec: { paused: true } }, { text: "it is paused", remedy: remedies.paused }],
  ])("%s", (_what, object, trouble) => {
    expect(describeWorkloadTrouble(object)).toEqual(trouble);
  });
});
