import type { ContainerStatus, Pod } from "@landscaper/api";
import { UsageError } from "../usage-error.ts";

/** Containers of a Pod of the container deployer, by the words of the command. */
export const containers = ["main", "init", "wait"] as const;
export type Container = (typeof containers)[number];

function statusOf({ status }: Pod, container: Container): ContainerStatus | undefined {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return statuses.find(({ name }) => name === container);
}

/** Whether the container has begun to write: there is no log before. Pure. Throws UsageError where it will not begin any more. */
export function hasStarted(pod: Pod, container: Container): boolean {
  const { running, terminated } = statusOf(pod, container)?.state ?? {};
  if (running !== undefined || terminated !== undefined) return true;
  const { phase = "Pending", reason = "" } = (pod.status ?? {}) as { phase?: string; reason?: string };
  const isOver = phase === "Failed" || phase === "Succeeded" || pod.metadata.deletionTimestamp !== undefined;
  if (!isOver) return false;
  const why = reason === "" ? "" : `, ${reason}`;
  throw new UsageError(`container ${container} of Pod ${pod.metadata.name} has not run, and will not (${phase}${why})`);
}

/** What a container waits for that has not started, in the kubelet's words. Pure. */
export function describeStart(pod: Pod, container: Container): string {
  const { reason, message } = statusOf(pod, container)?.state?.waiting ?? {};
  const words = [reason, message].filter((word) => word !== undefined && word !== "");
  return words.length === 0 ? (pod.status?.phase ?? "Pending") : words.join(": ");
}
