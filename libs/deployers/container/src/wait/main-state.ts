import type { Pod } from "@landscaper/api";
import { containerNames } from "../contract/environment.ts";

/** What a Pod says about its program. */
export type MainState =
  /** Not started yet, or running. */
  | { readonly kind: "open" }
  /** The kubelet could not start it so far, such as for an image that is not there. */
  | { readonly kind: "not started" }
  /** `exitCode`: undefined when the Pod has ended and nothing says how its program did. */
  | { readonly kind: "ended"; readonly exitCode: number | undefined };

/** Reasons of a container that is on its way. */
const startingReasons: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);

export function mainStateOf({ status = {} }: Pod): MainState {
  const { state } = status.containerStatuses?.find(({ name }) => name === containerNames.main) ?? {};
  if (state?.terminated !== undefined) return { kind: "ended", exitCode: state.terminated.exitCode };
  // Evicted, for example: the kubelet has stopped what there was.
  if (status.phase === "Failed" || status.phase === "Succeeded") return { kind: "ended", exitCode: undefined };
  const { reason = "" } = state?.waiting ?? {};
  return startingReasons.has(reason) ? { kind: "open" } : { kind: "not started" };
}
