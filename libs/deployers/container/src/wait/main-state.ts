import type { Pod } from "@landscaper/api";
import { containerNames } from "../contract/environment.ts";

/** What a Pod says about its program. */
export type MainState =
  /** Not started yet, or running, according to the API server. */
  | { readonly kind: "open" }
  /** `exitCode`: undefined when the Pod has ended and nothing says how its program did. */
  | { readonly kind: "ended"; readonly exitCode: number | undefined };

export function mainStateOf({ status = {} }: Pod): MainState {
  const { state } = status.containerStatuses?.find(({ name }) => name === containerNames.main) ?? {};
  if (state?.terminated !== undefined) return { kind: "ended", exitCode: state.terminated.exitCode };
  // Evicted, for example: the kubelet has stopped what there was.
  if (status.phase === "Failed" || status.phase === "Succeeded") return { kind: "ended", exitCode: undefined };
  return { kind: "open" };
}

/** Of the time that a Pod has to end which is deleted: for packing a large state and writing it, at most half of it. */
const reservedMs = 60_000;

function waitingMs(graceMs: number): number {
  return graceMs - Math.min(reservedMs, graceMs / 2);
}

/** At least so long the API server may take to tell what the kubelet knows. */
const leastPatienceMs = 10_000;

/**
 * How long wait can wait, once the kubelet has stopped it, for what the API server does not tell yet, in ms. If the Pod is
 * unknown, the grace period of the job file applies.
 */
export function patienceOf(pod: Pod | undefined, graceSeconds: number): number {
  // The kubelet does not tell of one container before all of them have ended, and nothing but the state of such a run counts.
  if (pod?.metadata.deletionTimestamp !== undefined) return leastPatienceMs;
  const seconds = pod === undefined ? graceSeconds : Number(pod.spec?.["terminationGracePeriodSeconds"]);
  return Number.isFinite(seconds) ? Math.max(waitingMs(seconds * 1000), leastPatienceMs) : leastPatienceMs;
}

/** How long after the deletion of a Pod its state has to be packed at the latest, in ms; undefined for one that is not deleted. */
export function timeToPack({ metadata }: Pod): number | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  return waitingMs((metadata.deletionGracePeriodSeconds ?? 0) * 1000);
}
