import type { ContainerState, ContainerStatus, Pod } from "@landscaper/api";
import { containerNames, type ContainerName } from "../../contract/environment.ts";
import { podFinalizer, recordedGate } from "../../contract/labels.ts";

/** What of a Pod decisions depend on. */
export interface ObservedPod {
  readonly name: string;
  readonly uid: string;
  readonly pod: Pod;
  /** The program cannot run before the gate is taken away. */
  readonly isGated: boolean;
  readonly isScheduled: boolean;
  readonly isDeleting: boolean;
  readonly isKept: boolean;
  readonly phase: string;
}

export function observePod(pod: Pod): ObservedPod {
  const { metadata, spec, status } = pod;
  const gates = spec?.["schedulingGates"];
  return {
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    pod,
    isGated: Array.isArray(gates) && gates.some((gate: { readonly name?: unknown }) => gate.name === recordedGate),
    isScheduled: typeof spec?.["nodeName"] === "string" && spec["nodeName"] !== "",
    isDeleting: metadata.deletionTimestamp !== undefined,
    isKept: metadata.finalizers?.includes(podFinalizer) !== true,
    phase: status?.phase ?? "Pending",
  };
}

/** No container of the Pod runs any more, or ever will. */
export function hasEnded({ phase }: ObservedPod): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

export function statusOf({ status }: Pod, container: ContainerName): ContainerStatus | undefined {
  const statuses = container === containerNames.main ? status?.containerStatuses : status?.initContainerStatuses;
  return statuses?.find(({ name }) => name === container);
}

export function stateOf(pod: Pod, container: ContainerName): ContainerState {
  return statusOf(pod, container)?.state ?? {};
}

/** As the Pod names it. */
export function imageOf({ spec }: Pod, container: ContainerName): string {
  const list = container === containerNames.main ? spec?.["containers"] : spec?.["initContainers"];
  const found = Array.isArray(list)
    ? list.find((each: { readonly name?: unknown }) => each.name === container)
    : undefined;
  const image: unknown = (found as { readonly image?: unknown } | undefined)?.image;
  return typeof image === "string" ? image : "";
}
