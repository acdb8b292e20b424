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
  return {
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    pod,
    isGated: gatesOf(pod).some(({ name }) => name === recordedGate),
    isScheduled: typeof spec?.["nodeName"] === "string" && spec["nodeName"] !== "",
    isDeleting: metadata.deletionTimestamp !== undefined,
    isKept: metadata.finalizers?.includes(podFinalizer) !== true,
    phase: status?.phase ?? "Pending",
  };
}

/** Returns the JSON patch that removes the deployer's gate. Gates of other controllers, such as queues, stay. Pure. */
export function ungating({ uid, pod }: ObservedPod): readonly object[] {
  const index = gatesOf(pod).findIndex(({ name }) => name === recordedGate);
  const path = `/spec/schedulingGates/${index}`;
  return [
    { op: "test", path: "/metadata/uid", value: uid },
    { op: "test", path: `${path}/name`, value: recordedGate },
    { op: "remove", path },
  ];
}

function gatesOf({ spec }: Pod): readonly { readonly name?: unknown }[] {
  const gates = spec?.["schedulingGates"];
  return Array.isArray(gates) ? gates : [];
}

/** Whether the Pod has reached its last phase. An unreachable kubelet may still run its containers. */
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

/** Returns the image of a container from the spec of the Pod. */
export function imageOf({ spec }: Pod, container: string): string {
  const lists: readonly unknown[] = [spec?.["initContainers"], spec?.["containers"]];
  const found = lists
    .flatMap((list): readonly { readonly name?: unknown }[] => (Array.isArray(list) ? list : []))
    .find(({ name }) => name === container);
  const image: unknown = (found as { readonly image?: unknown } | undefined)?.image;
  return typeof image === "string" ? image : "";
}
