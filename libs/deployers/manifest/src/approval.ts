import { annotations, type DeployItem } from "@landscaper/api";

/** Time (ms) after which a job that waits for approval asks the target again what it would change. The annotation wakes the item at once. */
export const approvalPauseMs = 60_000;

/** Whether the current job of the item is approved. */
export function isApproved({ metadata, status }: DeployItem): boolean {
  return metadata.annotations?.[annotations.approvedJob] === (status?.jobID ?? "");
}

/** Describes the wait for approval of a change, such as "2 to create, 1 to update". */
export function describeApproval({ status }: DeployItem, what: string): string {
  return `approval of ${what}: set the annotation ${annotations.approvedJob} to ${status?.jobID ?? ""}`;
}
