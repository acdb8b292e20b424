import type { ContainerStatus, Pod } from "@landscaper/api";
import { containerNames } from "../../contract/environment.ts";
import { hasStarted, unstarted } from "./program-end.ts";
import { imageOf } from "./pod-state.ts";

/** A container that does not start, and what the kubelet says of it. */
export interface StartTrouble {
  /** Also one that others have added. */
  readonly container: string;
  readonly image: string;
  readonly reason: string;
  readonly message: string;
  /** Only a change of the Pod helps. The kubelet retries after all other reasons. */
  readonly isFinal: boolean;
}

/** Reasons of a container that is on its way. */
const usualWaits: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);

/** The first container that keeps the program of a Pod from starting, in the order in which they start; undefined when the program has started. Pure. */
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
  // One that has run before may do so again.
  if (reason === "CrashLoopBackOff") return unstarted.has(lastState?.terminated?.reason);
  return !usualWaits.has(reason);
}

/** Whether a container that has failed to start may still fail: it waits, whatever for. Pure. */
export function isStillWaiting(pod: Pod, container: string): boolean {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const status = [...initContainerStatuses, ...containerStatuses].find(({ name }) => name === container);
  return status?.state?.waiting !== undefined && !hasStarted(pod);
}
