import type { ContainerPodStatus } from "@landscaper/api";
import type { ObservedPod } from "../pod/pod-state.ts";
import { findStartTrouble, isStillWaiting } from "../pod/start-trouble.ts";
import type { FailingStart } from "./decide-run.ts";

/** Time since which a container fails to start, as seen by this process. */
export interface FailingSince {
  /** uid of the Pod. */
  readonly uid: string;
  readonly container: string;
  /** Time of `Clock.elapsed`. */
  readonly sinceMs: number;
}

export interface StartKnowledge {
  /** Earlier observation of this process. */
  readonly known: FailingSince | undefined;
  /** Status of the item, which an earlier process may have written. */
  readonly recorded: ContainerPodStatus | undefined;
  /** Time of `Clock.elapsed`. */
  readonly elapsedMs: number;
}

export interface ObservedStart {
  readonly failing: FailingStart | undefined;
  /** For the next observation. */
  readonly since: FailingSince | undefined;
}

/** Returns what keeps a Pod from starting its program, and for how long. Time in which no process runs does not count. Pure. */
export function observeStart(
  pod: ObservedPod | undefined,
  { known, recorded, elapsedMs }: StartKnowledge,
): ObservedStart {
  if (pod === undefined) return { failing: undefined, since: undefined };
  const trouble = findStartTrouble(pod.pod);
  const own = known?.uid === pod.uid ? known : undefined;
  if (trouble === undefined) {
    // Between two attempts, the container may wait for something else.
    const goesOn = own !== undefined && isStillWaiting(pod.pod, own.container);
    return { failing: undefined, since: goesOn ? own : undefined };
  }
  const { container } = trouble;
  const isRecorded = recorded?.podUID === pod.uid && recorded.failing?.container === container;
  const beforeMs = isRecorded ? Math.max(0, recorded.failing?.seconds ?? 0) * 1000 : 0;
  const since = own?.container === container ? own : { uid: pod.uid, container, sinceMs: elapsedMs - beforeMs };
  return { failing: { trouble, failingMs: elapsedMs - since.sinceMs }, since };
}
