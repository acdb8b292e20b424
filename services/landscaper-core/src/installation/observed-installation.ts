import type { Installation, InstallationStatus, LandscaperError } from "@landscaper/api";
import type { ChangeObservation } from "../triggers/decide-on-change.ts";
import type { PredecessorGate } from "./imports/predecessors.ts";

/** A subinstallation or the Execution of an Installation. */
export interface Child {
  readonly kind: "Installation" | "Execution";
  readonly name: string;
  readonly phase: string | undefined;
  readonly jobID: string | undefined;
  readonly jobIDFinished: string | undefined;
  readonly isDeleting: boolean;
  /** While the parent is being deleted: it is not marked for deletion yet, or not as the parent wants it. */
  readonly needsDeletion: boolean;
}

/** A sibling that imports what an Installation exports, as the deletion of the exporter sees it. */
export interface Successor {
  readonly name: string;
  /** It was to be deleted by the same job and has failed. */
  readonly hasFailedDeletion: boolean;
}

/** Everything that decides what an Installation does next. */
export interface ObservedInstallation {
  /** Metadata and spec as the API server has them. */
  readonly installation: Installation;
  /** The status that the running pass has come to; it may be ahead of the stored one. */
  readonly status: InstallationStatus;
  readonly isRoot: boolean;
  readonly children: readonly Child[];
  /** Children that status names and the caches do not have. */
  readonly missingChildren: readonly Pick<Child, "kind" | "name">[];
  /** Objects that an earlier job exported and the Installation no longer lists. */
  readonly droppedExportCount: number;
  /** Read in phase Init only. */
  readonly gate: PredecessorGate;
  /** Error of a ring of imports that was not complete when the last job failed for a missing import. */
  readonly lateRing: LandscaperError | undefined;
  /** Read while deleting only. */
  readonly successors: readonly Successor[];
  /** After a failed deletion: whether the Targets and Secrets that were missing exist again. */
  readonly isAccessBack: boolean;
  /** In this pass the sub-objects have been brought in step with the blueprint. */
  readonly isApplied: boolean;
  /** Whether Ready, Reconciling and Stalled say what the rest of the status says. */
  readonly isReadyCurrent: boolean;
  /** Undefined unless changes start jobs of the Installation and it has none. */
  readonly change: ChangeObservation | undefined;
}

/** Whether any child has been given the job. */
export function hasStarted(children: readonly Child[], jobID: string | undefined): boolean {
  return children.some((child) => child.jobID === jobID);
}

/** What a job says while its children are at work. */
export const waitingForChildren = "waits for its sub-objects";

/** Whether a child has ended this job, however. */
export function isFinishedBy(child: Child, jobID: string | undefined): boolean {
  return child.jobID === jobID && child.jobIDFinished === jobID;
}
