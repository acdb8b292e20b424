import { createHash } from "node:crypto";
import type { UnstructuredObject } from "@landscaper/api";
import { listAt, recordAt, stringAt } from "../../objects/json.ts";
import { formatTime } from "../../rest/rest-context.ts";
import { simulatedNode } from "../simulation-options.ts";
import type { ContainerRun, ContainerState, Exit, PodRun } from "./pod-run.ts";
import { hasSucceeded, isInitialized, phaseOf } from "./pod-run.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The status that a kubelet reports of a pod: `pod` as it is stored, `run` as it goes. */
export function podStatus(pod: UnstructuredObject, run: PodRun, options: StatusOptions): Fields {
  const { qosClass } = recordAt(pod, "status");
  const statuses = (roles: readonly ContainerRun["role"][]): Fields[] =>
    run.containers.filter(({ role }) => roles.includes(role)).map((container) => containerStatus(pod, container));
  const inits = statuses(["init", "sidecar"]);
  const podIP = run.containers.some(({ state, last }) => state.is !== "waiting" || last !== undefined)
    ? options.podIP
    : "";
  const generation = pod.metadata.generation;
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase: phaseOf(run),
    conditions: podConditions(pod, run, options.now),
    hostIP: simulatedNode.address,
    hostIPs: [{ ip: simulatedNode.address }],
    ...(podIP === "" ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    startTime: formatTime(run.startedMs),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits }),
    containerStatuses: statuses(["main"]),
    ...(qosClass === undefined ? {} : { qosClass }),
  };
}

export interface StatusOptions {
  /** Of conditions that change now. */
  readonly now: string;
  readonly podIP: string;
}

function containerStatus(pod: UnstructuredObject, container: ContainerRun): Fields {
  const { name, role, state, last, restarts } = container;
  const field = role === "main" ? "containers" : "initContainers";
  const spec = listAt(pod, "spec", field).find((candidate) => stringAt(candidate, "name") === name);
  const image = stringAt(spec, "image");
  const run = state.is === "terminated" ? state.run : restarts;
  const hasRun = state.is !== "waiting" || last !== undefined;
  const uid = pod.metadata.uid ?? "";
  return {
    name,
    state: describeState(uid, name, state),
    lastState: last === undefined ? {} : { terminated: describeExit(uid, name, last) },
    ready: isReady(container),
    restartCount: restarts,
    image,
    imageID: hasRun ? `${repositoryOf(image)}@sha256:${digest(image)}` : "",
    ...(hasRun ? { containerID: containerId(uid, name, state.is === "waiting" ? (last?.run ?? run) : run) } : {}),
    started: role !== "init" && state.is === "running",
  };
}

function isReady(container: ContainerRun): boolean {
  const { role, state } = container;
  if (role === "init") return hasSucceeded(container);
  return state.is === "running" && state.ready;
}

function describeState(uid: string, name: string, state: ContainerState): Fields {
  switch (state.is) {
    case "waiting":
      return {
        waiting: { reason: state.reason, ...(state.message === undefined ? {} : { message: state.message }) },
      };
    case "running":
      return { running: { startedAt: formatTime(state.sinceMs) } };
    case "terminated":
      return { terminated: describeExit(uid, name, state) };
  }
}

function describeExit(uid: string, name: string, exit: Exit): Fields {
  return {
    exitCode: exit.exitCode,
    reason: exit.exitCode === 0 ? "Completed" : "Error",
    ...(exit.message === undefined ? {} : { message: exit.message }),
    startedAt: formatTime(exit.startedMs),
    finishedAt: formatTime(exit.finishedMs),
    containerID: containerId(uid, name, exit.run),
  };
}

function containerId(uid: string, name: string, run: number): string {
  return `simulated://${digest(`${uid}/${name}/${run}`)}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** An image reference without its tag and digest. */
function repositoryOf(image: string): string {
  const [reference = ""] = image.split("@");
  const colon = reference.lastIndexOf(":");
  return colon > reference.lastIndexOf("/") ? reference.slice(0, colon) : reference;
}

function podConditions(pod: UnstructuredObject, run: PodRun, now: string): readonly Fields[] {
  const phase = phaseOf(run);
  const generation = pod.metadata.generation;
  const before = listAt(pod, "status", "conditions");
  const condition = (type: string, isTrue: boolean, why?: Why): Fields => {
    const status = isTrue ? "True" : "False";
    const old = before.find((candidate) => stringAt(candidate, "type") === type);
    const lastTransitionTime = stringAt(old, "status") === status ? stringAt(old, "lastTransitionTime") : now;
    return {
      type,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      status,
      lastProbeTime: null,
      lastTransitionTime,
      ...why,
    };
  };
  const whenFinished = finishedReason(phase);
  const waiting = run.containers.filter((container) => container.role !== "init" && !isReady(container));
  const isStarted = run.containers.some(({ state, last }) => state.is === "running" || last !== undefined);
  const allReady = waiting.length === 0 && isInitialized(run) && whenFinished === undefined;
  const unready = allReady ? undefined : (whenFinished ?? notReady(waiting));
  const incomplete = run.containers.filter(({ role }) => role !== "main").filter((init) => !isReady(init));
  const initialized = isInitialized(run);
  const uninitialized: Why = {
    reason: "ContainersNotInitialized",
    message: `containers with incomplete status: [${names(incomplete)}]`,
  };
  const initializedWhy = initialized ? (phase === "Succeeded" ? whenFinished : undefined) : uninitialized;
  return [
    condition("PodReadyToStartContainers", isStarted && whenFinished === undefined),
    condition("Initialized", initialized, initializedWhy),
    condition("Ready", allReady, unready),
    condition("ContainersReady", allReady, unready),
    condition("PodScheduled", true),
  ];
}

interface Why {
  readonly reason: string;
  readonly message?: string;
}

function finishedReason(phase: string): Why | undefined {
  if (phase === "Succeeded") return { reason: "PodCompleted" };
  return phase === "Failed" ? { reason: "PodFailed" } : undefined;
}

function notReady(containers: readonly ContainerRun[]): Why {
  return { reason: "ContainersNotReady", message: `containers with unready status: [${names(containers)}]` };
}

function names(containers: readonly ContainerRun[]): string {
  return containers.map(({ name }) => name).join(" ");
}
