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

/** The program of the Pod has ended, or it can never run. */
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

/** Why a container waits that nothing but a change helps. The kubelet tries again what is not among them. */
const finalWaits: ReadonlySet<string | undefined> = new Set([
  "ImagePullBackOff",
  "ErrImageNeverPull",
  "RegistryUnavailable",
  "InvalidImageName",
  "ErrInvalidImageName",
  "ImageInspectError",
  "CreateContainerConfigError",
  "CreateContainerError",
]);

/** A container that cannot start, and what the kubelet says of it. */
export interface ImageTrouble {
  readonly container: ContainerName;
  readonly image: string;
  readonly reason: string;
  readonly message: string;
}

/** In the order in which containers start. */
export function findImageTrouble(pod: Pod): ImageTrouble | undefined {
  for (const container of [containerNames.init, containerNames.wait, containerNames.main]) {
    const status = statusOf(pod, container);
    const { reason = "", message = "" } = status?.state?.waiting ?? {};
    if (finalWaits.has(reason)) return { container, image: imageOf(pod, container), reason, message };
  }
  return undefined;
}

function imageOf({ spec }: Pod, container: ContainerName): string {
  const list = container === containerNames.main ? spec?.["containers"] : spec?.["initContainers"];
  const found = Array.isArray(list)
    ? list.find((each: { readonly name?: unknown }) => each.name === container)
    : undefined;
  const image: unknown = (found as { readonly image?: unknown } | undefined)?.image;
  return typeof image === "string" ? image : "";
}

/** Whether wait has kept what the program has left: the phase of a Pod does not depend on a sidecar. */
export function hasKept(pod: Pod): boolean {
  return stateOf(pod, containerNames.wait).terminated?.exitCode === 0;
}

/** Whether the program was never started: what is said of it are words of the container runtime. */
export function isUnstarted(pod: Pod): boolean {
  return startFailures.has(stateOf(pod, containerNames.main).terminated?.reason);
}

const startFailures: ReadonlySet<string | undefined> = new Set(["StartError", "ContainerCannotRun"]);

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

/** Exit codes of SIGKILL and SIGTERM: not the program's own words. */
const killed: ReadonlySet<number | undefined> = new Set([137, 143]);

/**
 * Why a Pod that has failed has no result of its program, in words; undefined for one whose program or whose init and wait containers have ended by
 * themselves.
 */
export function findLoss({ pod, isDeleting }: ObservedPod): string | undefined {
  const { status } = pod;
  const main = stateOf(pod, containerNames.main).terminated;
  const { exitCode } = main ?? {};
  // What the program has said itself counts, whatever became of its Pod later.
  if (exitCode !== undefined && exitCode !== 0 && !killed.has(exitCode)) return undefined;
  const disruption = status?.conditions?.find((each) => each.type === "DisruptionTarget" && each.status === "True");
  if (disruption !== undefined) return inWords(disruption.reason, disruption.message);
  const reason = status?.reason;
  if (lossReasons.has(reason) || reason?.startsWith("OutOf") === true) return inWords(reason, status?.message);
  if (main?.reason === "ContainerStatusUnknown") return inWords(main.reason, main.message);
  return isDeleting && exitCode !== 0 ? "it was deleted" : undefined;
}

/** Messages of the kubelet end with a full stop and a space, which the sentence around them ends with already. */
function inWords(reason = "", message = ""): string {
  const said = message.trim().replace(/\.$/, "");
  return said === "" ? reason : `${reason}: ${said}`;
}
