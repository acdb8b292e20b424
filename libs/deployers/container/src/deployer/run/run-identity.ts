import { conditionTypes, isJobOpen, type DeployItem } from "@landscaper/api";
import type { ContainerOperation } from "../../contract/environment.ts";
import type { ItemIdentity } from "../../contract/labels.ts";

/** What the program is to run for. */
export interface WantedRun {
  /** A job, or one repetition of what it deployed. */
  readonly runID: string;
  readonly operation: ContainerOperation;
}

export function identityOf({ metadata: { namespace = "", name = "", uid = "" } }: DeployItem): ItemIdentity {
  return { namespace, name, uid };
}

/** Between jobs, each repetition is a run of its own: the time at which it began tells it from the others. */
export function wantedRun(item: DeployItem, operation: ContainerOperation): WantedRun {
  const { status } = item;
  const { jobID = "" } = status ?? {};
  if (isJobOpen(status) || operation === "DELETE") return { runID: jobID, operation };
  const repeated = status?.conditions?.find(({ type }) => type === conditionTypes.continuousReconcile);
  return { runID: `${jobID}@${repeated?.lastTransitionTime ?? ""}`, operation };
}
