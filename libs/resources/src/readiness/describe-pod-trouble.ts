import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, isJsonObject, numberAt, type JsonObject } from "../json-value.ts";
import { findCondition, inBrackets } from "./conditions.ts";
import {
  containerStatuses,
  describeExit,
  describeFailure,
  findStuckContainer,
  imageOf,
  remedyOf,
  textAt,
  type Trouble,
} from "./pod-trouble.ts";
import { remedies } from "./remedies.ts";

/** The worst trouble of several Pods. */
export interface PodsTrouble extends Trouble {
  readonly pod: UnstructuredObject;
}

/** Pods differ: those that need a change by a user are named before those that only need time. */
type Finder = (pod: UnstructuredObject) => Trouble | undefined;

const finders: readonly Finder[] = [
  (pod) => findStuckContainer(pod),
  findWaitingContainer,
  findFailure,
  findUnscheduled,
  findCrash,
  findFailingProbe,
  findOpenGate,
  findRepeatedCrash,
];

/**
 * Why pods are not ready: the worst of them by name, and how many others have trouble as well. Unlike `findPodTrouble` also what time may
 * repair. Undefined when nothing is wrong, or they have only just been made. Pure.
 */
export function describePodTrouble(pods: readonly UnstructuredObject[]): PodsTrouble | undefined {
  const troubled = pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap((pod) => {
      const found = findTrouble(pod);
      return found === undefined ? [] : [{ pod, name: pod.metadata.name ?? "", ...found }];
    })
    .toSorted((a, b) => a.rank - b.rank || compareNames(a.name, b.name));
  const [worst] = troubled;
  if (worst === undefined) return undefined;
  const others = troubled.length - 1;
  const more = others === 0 ? "" : ` (and ${others} more ${others === 1 ? "pod has" : "pods have"} trouble)`;
  const { name, pod, trouble } = worst;
  return { ...trouble, text: `Pod ${name}${more}: ${trouble.text}`, pod };
}

/** As describePodTrouble, for a Pod that has been named already. */
export function describeOwnTrouble(pod: UnstructuredObject): Trouble | undefined {
  return findTrouble(pod)?.trouble;
}

/** Why the controller of a workload does not make its pods, such as a quota, a webhook or a pause. Pure. */
export function describeWorkloadTrouble(workload: UnstructuredObject): Trouble | undefined {
  const conditions = fieldAt(workload, "status", "conditions");
  const failure = (Array.isArray(conditions) ? conditions : []).find(
    (each) => textAt(each, "type") === "ReplicaFailure" && textAt(each, "status") === "True",
  );
  if (failure === undefined) return isPaused(workload) ? { text: "it is paused", remedy: remedies.paused } : undefined;
  const text = `its pods cannot be created${reasonIn(textAt(failure, "reason"))}`;
  return { text, said: textAt(failure, "message"), remedy: remedies.noPods };
}

function isPaused(workload: UnstructuredObject): boolean {
  return workload.kind === "Deployment" && fieldAt(workload, "spec", "paused") === true;
}

function findTrouble(pod: UnstructuredObject): { readonly rank: number; readonly trouble: Trouble } | undefined {
  for (const [rank, find] of finders.entries()) {
    const trouble = find(pod);
    if (trouble !== undefined) return { rank, trouble };
  }
  return undefined;
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Every container waits so before it starts. */
const usualWaits: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);
/** Whose message is about the configuration, not about what a registry or a program has answered. */
const configurationError = "CreateContainerConfigError";

function findWaitingContainer(pod: UnstructuredObject): Trouble | undefined {
  const container = containerStatuses(pod).find(
    (status) => !usualWaits.has(wordOf(textAt(status, "state", "waiting", "reason"))),
  );
  if (container === undefined) return undefined;
  const reason = wordOf(textAt(container, "state", "waiting", "reason"));
  const name = textAt(container, "name");
  const text = `container ${name}: ${reason}`;
  if (reason === configurationError)
    return { text, said: textAt(container, "state", "waiting", "message"), remedy: remedies.configuration };
  // Every reason of the kubelet about an image has the word in its name.
  return /image/i.test(reason)
    ? { text, ...imageOf(pod, name), remedy: remedies.image }
    : { text, remedy: remedies.start };
}

function findFailure(pod: UnstructuredObject): Trouble | undefined {
  return fieldAt(pod, "status", "phase") === "Failed" ? describeFailure(pod) : undefined;
}

function findUnscheduled(pod: UnstructuredObject): Trouble | undefined {
  const conditions = fieldAt(pod, "status", "conditions");
  const scheduled = (Array.isArray(conditions) ? conditions : []).find(
    (each) => textAt(each, "type") === "PodScheduled" && textAt(each, "status") === "False",
  );
  if (scheduled === undefined) return undefined;
  const text = `is not scheduled${reasonIn(textAt(scheduled, "reason"))}`;
  return { text, said: textAt(scheduled, "message"), remedy: remedies.unscheduled };
}

/** Finds a container that has ended, and restarts or has not been ready since. */
function findCrash(pod: UnstructuredObject): Trouble | undefined {
  for (const container of containerStatuses(pod)) {
    if (fieldAt(container, "ready") === true) continue;
    const trouble = describeEnd(pod, container);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

/** Number of restarts from which on a ready container counts as crashing repeatedly. A single crash may be long past. */
const manyRestarts = 2;

/** Finds a container that crashes repeatedly but is ready. Without a readiness probe, a container is ready after each start. */
function findRepeatedCrash(pod: UnstructuredObject): Trouble | undefined {
  const container = containerStatuses(pod).find(
    (each) => numberAt(each, ["restartCount"], 0) >= manyRestarts && describeEnd(pod, each) !== undefined,
  );
  return container === undefined ? undefined : describeEnd(pod, container);
}

/** Describes the end of a container that must keep running, and names the log of that run. */
function describeEnd(pod: UnstructuredObject, container: JsonObject): Trouble | undefined {
  for (const state of ["state", "lastState"] as const) {
    const code = fieldAt(container, state, "terminated", "exitCode");
    const isDone = code === 0 && !runsForever(pod, container);
    // An init container that has ended well is done, whatever its former runs did.
    if (state === "state" && isDone) return undefined;
    if (typeof code !== "number" || isDone) continue;
    const { name, exit } = describeExit(container, state);
    const isPrevious = state === "lastState";
    const text = `container ${name}: ${exit}${isPrevious ? `, and was started again${restartsOf(container)}` : ""}`;
    return { text, log: { container: name, previous: isPrevious }, remedy: remedyOf(container, state) };
  }
  return undefined;
}

/** Whether the kubelet also restarts the container after exit code 0. */
function runsForever(pod: UnstructuredObject, container: JsonObject): boolean {
  const policy = fieldAt(pod, "spec", "restartPolicy") ?? "Always";
  const own = fieldAt(pod, "status", "containerStatuses");
  return policy === "Always" && Array.isArray(own) && own.includes(container);
}

function restartsOf(container: JsonObject): string {
  const count = numberAt(container, ["restartCount"], 0);
  return count < manyRestarts ? "" : ` ${count} times`;
}

function findFailingProbe(pod: UnstructuredObject): Trouble | undefined {
  const specs = fieldAt(pod, "spec", "containers");
  for (const spec of Array.isArray(specs) ? specs.filter(isJsonObject) : []) {
    const name = textAt(spec, "name");
    const status = containerStatuses(pod).find((each) => textAt(each, "name") === name);
    const isRunning = isJsonObject(fieldAt(status, "state", "running"));
    if (status === undefined || !isRunning || fieldAt(status, "ready") === true) continue;
    const probe = openProbe(spec, status);
    if (probe !== undefined) {
      return { text: `container ${name}: its ${probe} probe has not succeeded`, remedy: remedies.probe };
    }
  }
  return undefined;
}

function openProbe(spec: JsonObject, status: JsonObject): string | undefined {
  if (isJsonObject(spec["startupProbe"]) && status["started"] !== true) return "startup";
  return isJsonObject(spec["readinessProbe"]) ? "readiness" : undefined;
}

function findOpenGate(pod: UnstructuredObject): Trouble | undefined {
  const { status, reason } = findCondition(pod, "Ready") ?? {};
  if (status !== "False" || reason !== "ReadinessGatesNotReady") return undefined;
  return { text: "a readiness gate is not fulfilled", remedy: remedies.gate };
}

/** Reasons are words: what else a target says there is left out. */
function wordOf(reason: string): string {
  return /^[\w-]{1,100}$/.test(reason) ? reason : "";
}

function reasonIn(reason: string): string {
  return inBrackets(wordOf(reason));
}
