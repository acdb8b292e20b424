import type { ContainerState, Pod } from "@landscaper/api";
import { containerNames, type ContainerName } from "../../contract/environment.ts";
import { hasEnded, stateOf, statusOf, type ObservedPod } from "./pod-state.ts";

type TerminatedState = NonNullable<ContainerState["terminated"]>;

/**
 * How the program of a Pod has ended. The phase of the Pod does not tell: containers that others have added to it may still run, and wait, which is a
 * sidecar, has no part in it.
 */
export type ProgramEnd =
  /** The program runs, has not started yet, or its files are being saved. */
  | { readonly type: "open" }
  /** wait has saved what the program has left. `isKilled`: by a signal, and not for its memory. */
  | { readonly type: "saved"; readonly exitCode: number; readonly isKilled: boolean }
  /** The program or the Pod has ended, and what the program has left is not saved in full. */
  | { readonly type: "unsaved" };

/** Judges the containers of the deployer alone. Pure. */
export function endOf(observed: ObservedPod): ProgramEnd {
  const { pod } = observed;
  const main = stateOf(pod, containerNames.main).terminated;
  const wait = main && endOfWait(pod, main);
  const isSaved = wait?.exitCode === 0 && main?.reason !== unknownReason;
  if (main !== undefined && isSaved) {
    const { exitCode, reason } = main;
    return { type: "saved", exitCode, isKilled: signalled.has(exitCode) && reason !== "OOMKilled" };
  }
  return wait !== undefined || hasEnded(observed) ? { type: "unsaved" } : { type: "open" };
}

/** Exit codes of SIGKILL and SIGTERM: not the program's own words. */
const signalled: ReadonlySet<number> = new Set([137, 143]);

/** The state that counts: the kubelet starts wait again after its end, where another container still runs. Pure. */
export function finalStateOf(pod: Pod, container: ContainerName): ContainerState {
  const main = stateOf(pod, containerNames.main).terminated;
  const terminated = container === containerNames.wait && main !== undefined ? endOfWait(pod, main) : undefined;
  return terminated === undefined ? stateOf(pod, container) : { terminated };
}

/** How wait has ended after the program. */
function endOfWait(pod: Pod, main: TerminatedState): TerminatedState | undefined {
  const { state, lastState } = statusOf(pod, containerNames.wait) ?? {};
  return [state?.terminated, lastState?.terminated].find((end) => end !== undefined && !isBefore(end, main));
}

/** Both times are of the same kubelet. */
function isBefore(one: TerminatedState, other: TerminatedState): boolean {
  if (one.finishedAt === undefined || other.finishedAt === undefined) return false;
  return Date.parse(one.finishedAt) < Date.parse(other.finishedAt);
}

/** The program runs, or has run. */
export function hasStarted(pod: Pod): boolean {
  const { running, terminated } = stateOf(pod, containerNames.main);
  if (running !== undefined) return true;
  return terminated !== undefined && !unstarted.has(terminated.reason) && terminated.reason !== unknownReason;
}

/** Whether the container runtime could not start the program: what is said of it are the runtime's words. */
export function isUnstarted(pod: Pod): boolean {
  return unstarted.has(stateOf(pod, containerNames.main).terminated?.reason);
}

const unstarted: ReadonlySet<string | undefined> = new Set(["StartError", "ContainerCannotRun"]);

/** Of a container that the kubelet does not find any more, or that it has never started. */
export const unknownReason = "ContainerStatusUnknown";

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

/** Why a Pod has ended from outside, in words; undefined for one whose containers have ended by themselves. Pure. */
export function findDisruption({ pod, isDeleting }: ObservedPod): string | undefined {
  const { status } = pod;
  const disruption = status?.conditions?.find((each) => each.type === "DisruptionTarget" && each.status === "True");
  if (disruption !== undefined) return inWords(disruption.reason, disruption.message);
  const reason = status?.reason;
  if (lossReasons.has(reason) || reason?.startsWith("OutOf") === true) return inWords(reason, status?.message);
  const main = stateOf(pod, containerNames.main).terminated;
  if (main?.reason === unknownReason) return inWords(main.reason, main.message);
  return isDeleting ? "it was deleted" : undefined;
}

/** Messages of the kubelet end with a full stop and a space, which the sentence around them ends with already. */
function inWords(reason = "", message = ""): string {
  const said = message.trim().replace(/\.$/, "");
  return said === "" ? reason : `${reason}: ${said}`;
}
