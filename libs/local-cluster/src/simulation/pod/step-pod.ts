import { maxBackOffMs } from "../simulation-options.ts";
import type { ContainerRun, ContainerState, Exit, PodRun, RunRules } from "./pod-run.ts";
import { hasFailed, isInitialized, isPassed, phaseOf } from "./pod-run.ts";

/** The next state of a pod and when it is there; undefined when it stays as it is. */
export interface PodStep {
  readonly atMs: number;
  readonly run: PodRun;
}

interface Event {
  readonly atMs: number;
  readonly container: ContainerRun;
}

/** The next thing that happens to a pod by itself. Pure: the same pod, rules and times give the same life. */
export function nextPodStep(run: PodRun, rules: RunRules): PodStep | undefined {
  if (["Succeeded", "Failed"].includes(phaseOf(run))) return undefined;
  const events = run.containers.map((container, index) => nextEvent(run, index, rules));
  const atMs = Math.min(...events.map((event) => event?.atMs ?? Infinity));
  if (atMs === Infinity) return undefined;
  // What is due at the same time happens in one step.
  const containers = run.containers.map((container, index) => {
    const event = events[index];
    return event?.atMs === atMs ? event.container : container;
  });
  return { atMs, run: endSidecars({ ...run, containers }, atMs) };
}

/** What stopping a pod makes of it: containers that run end by SIGTERM, those that wait never start. */
export function stopPod(run: PodRun, nowMs: number): PodRun {
  const containers = run.containers.map((container): ContainerRun => {
    const { state } = container;
    if (state.is !== "running") return container;
    const exit = { exitCode: 143, message: undefined, startedMs: state.sinceMs, finishedMs: nowMs };
    return { ...container, state: { is: "terminated", ...exit, run: container.restarts } };
  });
  return { ...run, containers, stopped: true };
}

function nextEvent(run: PodRun, index: number, rules: RunRules): Event | undefined {
  const container = run.containers[index];
  if (container === undefined) return undefined;
  const { state } = container;
  switch (state.is) {
    case "waiting":
      return state.reason === "CrashLoopBackOff" ? restart(container, rules) : start(run, index, rules);
    case "running":
      return goOn(run, container, rules);
    case "terminated":
      return afterExit(run, container, rules);
  }
}

/** The first start: in turn behind the init containers, unless image or annotations stand in the way. */
function start(run: PodRun, index: number, { script, scriptSinceMs, times }: RunRules): Event | undefined {
  const container = run.containers[index];
  const before = run.containers.slice(0, index).filter(({ role }) => role !== "main");
  if (container?.state.is !== "waiting" || !before.every(isPassed)) return undefined;
  const { pullFailure, problem } = script.container(container.name);
  const { reason, sinceMs } = container.state;
  const wait = (next: string, atMs: number, message?: string): Event => ({
    atMs,
    container: { ...container, state: { is: "waiting", reason: next, message, sinceMs: atMs } },
  });
  const firstMs = run.startedMs + (script.startDelayMs ?? times.stepMs);
  const turnMs = before.reduce((latest, { state }) => Math.max(latest, turnAfter(state)), 0);
  const inTurnMs = before.length === 0 ? firstMs : Math.max(turnMs + times.stepMs, firstMs);
  const dueMs = Math.max(inTurnMs, scriptSinceMs);
  if (problem !== undefined) {
    return reason === configError ? undefined : wait(configError, dueMs, problem);
  }
  if (pullFailure === undefined) {
    return { atMs: dueMs, container: { ...container, state: { is: "running", sinceMs: dueMs, ready: false } } };
  }
  const message = pullFailure === "true" ? "the registry does not have this image" : pullFailure;
  if (reason === "ImagePullBackOff") return undefined;
  if (reason !== "ErrImagePull") return wait("ErrImagePull", dueMs, message);
  return wait("ImagePullBackOff", sinceMs + times.stepMs, `Back-off pulling image: ${message}`);
}

const configError = "CreateContainerConfigError";

function turnAfter(state: ContainerState): number {
  return state.is === "terminated" ? state.finishedMs : state.sinceMs;
}

/** A running container becomes ready, or ends. */
function goOn(run: PodRun, container: ContainerRun, rules: RunRules): Event | undefined {
  const { state } = container;
  const { script, scriptSinceMs, times } = rules;
  if (state.is !== "running") return undefined;
  const plan = planExit(run, container, rules);
  const readyMs = Math.max(state.sinceMs + (script.readyDelayMs ?? times.stepMs), scriptSinceMs);
  const becomesReady = container.role !== "init" && !state.ready && !script.neverReady;
  const endMs = plan === undefined ? Infinity : Math.max(state.sinceMs + plan.afterMs, scriptSinceMs);
  if (becomesReady && readyMs < endMs) {
    return { atMs: readyMs, container: { ...container, state: { ...state, ready: true } } };
  }
  // A pod that is told to be never ready while it runs stops being ready.
  if (state.ready && script.neverReady) {
    return { atMs: scriptSinceMs, container: { ...container, state: { ...state, ready: false } } };
  }
  if (plan === undefined) return undefined;
  const { exitCode, message } = plan;
  const exit: Exit = { exitCode, message, startedMs: state.sinceMs, finishedMs: endMs, run: container.restarts };
  return { atMs: endMs, container: { ...container, state: { is: "terminated", ...exit } } };
}

interface ExitPlan {
  readonly afterMs: number;
  readonly exitCode: number;
  readonly message: string | undefined;
}

/** Whether and how this run of a container ends by itself. */
function planExit(run: PodRun, container: ContainerRun, { script, times }: RunRules): ExitPlan | undefined {
  const { exitCode, exitTimes = Infinity, exitMessage, runMs } = script.container(container.name);
  const fails = exitCode !== undefined && run.earlierFailures + container.restarts < exitTimes;
  if (fails) return { afterMs: runMs ?? times.stepMs, exitCode, message: exitMessage };
  const ends = container.role === "init" || (container.role === "main" && run.restartPolicy !== "Always");
  if (runMs === undefined && !ends) return undefined;
  return { afterMs: runMs ?? times.stepMs, exitCode: 0, message: undefined };
}

/** The first restart comes at once, the others after a back-off that grows. */
function afterExit(run: PodRun, container: ContainerRun, { times }: RunRules): Event | undefined {
  const { state, role } = container;
  if (state.is !== "terminated" || !restarts(run, container)) return undefined;
  const { is: _is, ...exit } = state;
  const atMs = exit.finishedMs + times.stepMs;
  if (container.restarts === 0 && role !== "init") return { atMs, container: restarted(container, exit, atMs) };
  const backOff = formatBackOff(container, times.backOffMs);
  const message = `back-off ${backOff} restarting failed container=${container.name}`;
  const waiting: ContainerState = { is: "waiting", reason: "CrashLoopBackOff", message, sinceMs: atMs };
  return { atMs, container: { ...container, state: waiting, last: exit } };
}

function restarts({ restartPolicy }: PodRun, container: ContainerRun): boolean {
  if (container.role === "sidecar") return true;
  if (container.role === "init") return restartPolicy !== "Never" && hasFailed(container);
  return restartPolicy === "Always" || (restartPolicy === "OnFailure" && hasFailed(container));
}

function restart(container: ContainerRun, { times }: RunRules): Event | undefined {
  const { state, last } = container;
  if (state.is !== "waiting" || last === undefined) return undefined;
  const atMs = state.sinceMs + backOffOf(container, times.backOffMs);
  return { atMs, container: restarted(container, last, atMs) };
}

function restarted(container: ContainerRun, last: Exit, atMs: number): ContainerRun {
  const state: ContainerState = { is: "running", sinceMs: atMs, ready: false };
  return { ...container, state, last, restarts: container.restarts + 1 };
}

function backOffOf({ restarts: count, role }: ContainerRun, firstMs: number): number {
  const earlier = role === "init" ? count : Math.max(count - 1, 0);
  return Math.min(firstMs * 2 ** Math.min(earlier, 30), maxBackOffMs);
}

function formatBackOff(container: ContainerRun, firstMs: number): string {
  const ms = backOffOf(container, firstMs);
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
}

/** Sidecars end when the containers that they help have ended for good. */
function endSidecars(run: PodRun, atMs: number): PodRun {
  if (!isInitialized(run) || !["Succeeded", "Failed"].includes(phaseOf(run))) return run;
  const containers = run.containers.map((container): ContainerRun => {
    const { role, state, restarts: count } = container;
    if (role !== "sidecar" || state.is !== "running") return container;
    const exit = { exitCode: 0, message: undefined, startedMs: state.sinceMs, finishedMs: atMs, run: count };
    return { ...container, state: { is: "terminated", ...exit } };
  });
  return { ...run, containers };
}
