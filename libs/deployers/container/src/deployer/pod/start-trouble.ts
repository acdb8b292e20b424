import type { Pod } from "@landscaper/api";
import { containerNames, type ContainerName } from "../../contract/environment.ts";
import { hasStarted } from "./program-end.ts";
import { imageOf, statusOf } from "./pod-state.ts";

/** A container that does not start, and what the kubelet says of it. */
export interface StartTrouble {
  readonly container: ContainerName;
  readonly image: string;
  readonly reason: string;
  readonly message: string;
  /** Only a change of the Pod helps. The kubelet tries again after all other reasons. */
  readonly isFinal: boolean;
}

/** Reasons of a container that is on its way, or that has started before. */
const usualWaits: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing", "CrashLoopBackOff"]);

const finalWaits: ReadonlySet<string> = new Set(["InvalidImageName", "ErrInvalidImageName", "ErrImageNeverPull"]);

/** The first container of a Pod that keeps its program from starting; undefined when the program has started. Pure. */
export function findStartTrouble(pod: Pod): StartTrouble | undefined {
  if (hasStarted(pod)) return undefined;
  for (const container of [containerNames.init, containerNames.wait, containerNames.main]) {
    const { reason = "", message = "" } = statusOf(pod, container)?.state?.waiting ?? {};
    if (usualWaits.has(reason)) continue;
    return { container, image: imageOf(pod, container), reason, message, isFinal: finalWaits.has(reason) };
  }
  return undefined;
}
