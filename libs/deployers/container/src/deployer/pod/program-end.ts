import type { ContainerState, Pod } from "@landscaper/api";
import { containerNames, ownContainers, waitFailed, type ContainerName } from "../../contract/environment.ts";
import { hasEnded, observePod, stateOf, statusOf, type ObservedPod } from "./pod-state.ts";

type TerminatedState = NonNullable<ContainerState["terminated"]>;

/**
 * How the program of a Pod has ended. The phase of the Pod does not show this: containers that other clients have added may still run, and the phase
 * ignores wait, which is a sidecar.
 */
export type ProgramEnd =
  /** The program runs, has not started yet, or its files are being saved. */
  | { readonly type: "open" }
  /** wait knows how the program has ended, and has saved its state and exports. `isKilled`: by a signal, but not for its memory. */
  | { readonly type: "saved"; readonly exitCode: number; readonly isKilled: boolean }
  /** The program or the Pod has ended, and not everything is saved. `isSeen`: wait knows how the program has ended. */
  | { readonly type: "unsaved"; readonly isSeen: boolean };

/** Judges only the deployer's own containers. Pure. */
export function endOf(observed: ObservedPod): ProgramEnd {
  const { pod } = observed;
  const main = stateOf(pod, containerNames.main).terminated;
  const ends = main === undefined ? [] : endsOfWait(pod, main);
  if (main !== undefined && !isUnknown(main) && ends.some(({ exitCode }) => exitCode === 0)) {
    const { exitCode, reason } = main;
    return { type: "saved", exitCode, isKilled: signalled.has(exitCode) && reason !== "OOMKilled" };
  }
  // The kubelet may report the containers before it reports why the Pod has ended. It does not end a Pod whose added containers still run.
  const isOver = hasEnded(observed) || (ends.length > 0 && hasForeignContainer(pod));
  if (!isOver) return { type: "open" };
  const isSeen = main !== undefined && !isUnknown(main) && ends.some(({ exitCode }) => exitCode === waitFailed);
  return { type: "unsaved", isSeen };
}

/** Exit codes of SIGKILL and SIGTERM: the program has not chosen them. */
const signalled: ReadonlySet<number> = new Set([137, 143]);

/** Returns the state that decides. While another container runs, the kubelet restarts wait after its end. Pure. */
export function finalStateOf(pod: Pod, container: ContainerName): ContainerState {
  const main = stateOf(pod, containerNames.main).terminated;
  if (container !== containerNames.wait || main === undefined) return stateOf(pod, container);
  const ends = endsOfWait(pod, main);
  const terminated = ends.find(({ exitCode }) => exitCode === 0) ?? ends[0];
  return terminated === undefined ? stateOf(pod, container) : { terminated };
}

/** Returns the ends of wait after the end of the program, the earlier one first. */
function endsOfWait(pod: Pod, main: TerminatedState): readonly TerminatedState[] {
  const { state, lastState } = statusOf(pod, containerNames.wait) ?? {};
  const before = lastState?.terminated;
  const last = state?.terminated;
  return [
    ...(before === undefined || isBefore(before, main) ? [] : [before]),
    // In a Pod that has ended, this is the last one, even if the clock of the node was set back.
    ...(last === undefined || (!hasEnded(observePod(pod)) && isBefore(last, main)) ? [] : [last]),
  ];
}

/** Compares two times of the same kubelet. Returns false if one is missing. */
function isBefore(one: TerminatedState, other: TerminatedState): boolean {
  return Date.parse(one.finishedAt ?? "") < Date.parse(other.finishedAt ?? "");
}

/** Whether a container that another client has added runs, or is about to run. */
function hasForeignContainer({ status }: Pod): boolean {
  const others = status?.containerStatuses?.filter(({ name }) => name !== containerNames.main) ?? [];
  return others.some(({ state = {} }) => state.terminated === undefined);
}

/** Whether the program runs or has run. */
export function hasStarted(pod: Pod): boolean {
  const { running, terminated } = stateOf(pod, containerNames.main);
  if (running !== undefined) return true;
  return terminated !== undefined && !unstarted.has(terminated.reason) && !isUnknown(terminated);
}

/** Whether the container runtime could not start the program. Its message then comes from the runtime, not from the program. */
export function isUnstarted(pod: Pod): boolean {
  return unstarted.has(stateOf(pod, containerNames.main).terminated?.reason);
}

/** Reasons of containers that the container runtime could not start. */
export const unstarted: ReadonlySet<string | undefined> = new Set(["StartError", "ContainerCannotRun"]);

/** Reasons of containers that no longer exist, such as after a restart of the node, or that were never started. */
const unknownReasons: ReadonlySet<string | undefined> = new Set(["ContainerStatusUnknown", "Unknown"]);

/** Whether the end of a container is unknown. */
export function isUnknown({ reason }: TerminatedState): boolean {
  return unknownReasons.has(reason);
}

/** Reasons of Pods that the node or the cluster has ended. */
const lossReasons: ReadonlySet<string | undefined> = new Set([
  "Evicted",
  "NodeLost",
  "NodeShutdown",
  "NodeAffinity",
  "Preempting",
  "Shutdown",
  "Terminated",
  "UnexpectedAdmissionError",
]);

/** Returns why the cluster has ended a Pod; undefined if it has not. Pure. */
export function findDisruption({ pod: { status } }: ObservedPod): string | undefined {
  const disruption = status?.conditions?.find((each) => each.type === "DisruptionTarget" && each.status === "True");
  if (disruption !== undefined) return inWords(disruption.reason, disruption.message);
  const reason = status?.reason;
  const isLost = lossReasons.has(reason) || reason?.startsWith("OutOf") === true;
  return isLost ? inWords(reason, status?.message) : undefined;
}

/** Returns why a Pod has ended without a result of its program; undefined if its containers have ended by themselves. Pure. */
export function findLoss(observed: ObservedPod): string | undefined {
  const disruption = findDisruption(observed);
  if (disruption !== undefined) return disruption;
  const { pod, isDeleting } = observed;
  const ends = ownContainers.map((container) => stateOf(pod, container).terminated);
  const unknown = ends.find((end) => end !== undefined && isUnknown(end));
  if (unknown !== undefined) return inWords(unknown.reason, unknown.message);
  if (isDeleting) return "it was deleted";
  const { reason, message } = pod.status ?? {};
  // The kubelet has refused it.
  const isRefused = ownContainers.every((container) => statusOf(pod, container) === undefined);
  return isRefused && reason !== "DeadlineExceeded" ? inWords(reason ?? "it never ran", message) : undefined;
}

/** Removes the full stop and the space at the end of the kubelet's message: the sentence around it has its own. */
function inWords(reason = "", message = ""): string {
  const said = message.trim().replace(/\.$/, "");
  return said === "" ? reason : `${reason}: ${said}`;
}
