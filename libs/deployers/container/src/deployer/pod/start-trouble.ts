import type { ContainerStatus, Pod } from "@landscaper/api";
import { containerNames } from "../../contract/environment.ts";
import { hasStarted, unstarted } from "./program-end.ts";
import { imageOf } from "./pod-state.ts";

/** A container that does not start, with the reason and message of the kubelet. */
export interface StartTrouble {
  /** Can be a container that another client has added. */
  readonly container: string;
  readonly image: string;
  readonly reason: string;
  readonly message: string;
  /** Whether only another Pod can succeed. After all other reasons, the kubelet retries. */
  readonly isFinal: boolean;
}

/** Reasons of a container that starts as usual. */
const usualWaits: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);

/** Returns the first container, in start order, that keeps the program of a Pod from starting; undefined if the program has started. Pure. */
export function findStartTrouble(pod: Pod): StartTrouble | undefined {
  if (hasStarted(pod)) return undefined;
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const main = containerStatuses.filter(({ name }) => name === containerNames.main);
  const status = [...initContainerStatuses, ...main].find(isTroubled);
  if (status === undefined) return undefined;
  const { reason = "", message = "" } = status.state?.waiting ?? {};
  const isFinal = reason === "InvalidImageName";
  return { container: status.name, image: imageOf(pod, status.name), reason, message, isFinal };
}

function isTroubled({ state, lastState }: ContainerStatus): boolean {
  const reason = state?.waiting?.reason ?? "";
  // A container that has run before may run again.
  if (reason === "CrashLoopBackOff") return unstarted.has(lastState?.terminated?.reason);
  return !usualWaits.has(reason);
}

/** Whether a container that has failed to start still waits, for any reason. Pure. */
export function isStillWaiting(pod: Pod, container: string): boolean {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const status = [...initContainerStatuses, ...containerStatuses].find(({ name }) => name === container);
  return status?.state?.waiting !== undefined && !hasStarted(pod);
}
