import type { UnstructuredObject } from "@landscaper/api";
import { listAt, stringAt } from "../../objects/json.ts";
import type { SimulationTimes } from "../simulation-options.ts";
import type { PodScript } from "./pod-script.ts";

/** How a run of a container ended. */
export interface Exit {
  readonly exitCode: number;
  readonly message: string | undefined;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly run: number;
}

export type ContainerState =
  | { readonly is: "waiting"; readonly reason: string; readonly message?: string | undefined; readonly sinceMs: number }
  | { readonly is: "running"; readonly sinceMs: number; readonly ready: boolean }
  | ({ readonly is: "terminated" } & Exit);

export interface ContainerRun {
  readonly name: string;
  /** A sidecar is an init container that goes on running. */
  readonly role: "init" | "sidecar" | "main";
  readonly state: ContainerState;
  /** How the run before ended. */
  readonly last: Exit | undefined;
  readonly restarts: number;
}

/** What a node knows of a pod that it runs: init containers first. */
export interface PodRun {
  readonly startedMs: number;
  readonly restartPolicy: string;
  readonly containers: readonly ContainerRun[];
  /** Failures of the owner before this pod: scripted failures are counted over all its runs. */
  readonly earlierFailures: number;
  /** Its deletion has stopped it: nothing happens any more. */
  readonly stopped: boolean;
}

/** Everything that decides how a pod goes on, beside its own state. */
export interface RunRules {
  readonly script: PodScript;
  /** Since when the script says so: it changes nothing before. */
  readonly scriptSinceMs: number;
  readonly times: SimulationTimes;
}

export const creating = "ContainerCreating";
export const initializing = "PodInitializing";

/** A pod that its node has just taken. */
export function startPodRun(pod: UnstructuredObject, nowMs: number, earlierFailures: number): PodRun {
  const inits = listAt(pod, "spec", "initContainers");
  const waiting: ContainerState = {
    is: "waiting",
    reason: inits.length > 0 ? initializing : creating,
    sinceMs: nowMs,
  };
  const start = (container: unknown, role: ContainerRun["role"]): ContainerRun => ({
    name: stringAt(container, "name"),
    role,
    state: waiting,
    last: undefined,
    restarts: 0,
  });
  return {
    startedMs: nowMs,
    restartPolicy: stringAt(pod, "spec", "restartPolicy") || "Always",
    containers: [
      ...inits.map((init) => start(init, stringAt(init, "restartPolicy") === "Always" ? "sidecar" : "init")),
      ...listAt(pod, "spec", "containers").map((container) => start(container, "main")),
    ],
    earlierFailures,
    stopped: false,
  };
}

/** Pod phases as Kubernetes computes them from the containers. */
export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

export function phaseOf(run: PodRun): PodPhase {
  const { containers, restartPolicy } = run;
  const inits = containers.filter(({ role }) => role === "init");
  if (restartPolicy === "Never" && inits.some(hasFailed)) return "Failed";
  const mains = containers.filter(({ role }) => role === "main");
  if (run.stopped) return mains.every(hasSucceeded) ? "Succeeded" : "Failed";
  if (!isInitialized(run) || mains.some(({ state, last }) => state.is === "waiting" && last === undefined)) {
    return "Pending";
  }
  if (mains.some(({ state }) => state.is !== "terminated")) return "Running";
  if (restartPolicy === "Always") return "Running";
  if (mains.every(hasSucceeded)) return "Succeeded";
  return restartPolicy === "OnFailure" ? "Running" : "Failed";
}

/** Whether all init containers have ended well and all sidecars have been started. */
export function isInitialized({ containers }: PodRun): boolean {
  return containers.every(isPassed);
}

/** Whether the containers behind this one may start. */
export function isPassed(container: ContainerRun): boolean {
  switch (container.role) {
    case "init":
      return hasSucceeded(container);
    case "sidecar":
      return container.state.is !== "waiting" || container.last !== undefined;
    case "main":
      return true;
  }
}

export function hasSucceeded({ state }: ContainerRun): boolean {
  return state.is === "terminated" && state.exitCode === 0;
}

export function hasFailed({ state }: ContainerRun): boolean {
  return state.is === "terminated" && state.exitCode !== 0;
}
