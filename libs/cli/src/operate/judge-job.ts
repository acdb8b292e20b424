import { isFailedPhase, isJobOpen } from "@landscaper/api";
import type { Subject } from "../why/explain-context.ts";

/** The job that a command waits for. */
export interface AwaitedJob {
  readonly uid: string;
  /** "new": the one after `jobID`; "running": the one that is open. */
  readonly which: "new" | "running";
  /** That the object had when the job was asked for. */
  readonly jobID: string | undefined;
}

export type JobState = "running" | "succeeded" | "failed" | "gone";

/** How far the job of an object is; undefined is an object that is not there (any more). */
export function judgeJob(subject: Subject | undefined, job: AwaitedJob): JobState {
  if (subject === undefined || subject.metadata.uid !== job.uid) return "gone";
  const { status } = subject;
  // Whether a request stands says nothing: the core may have been asked again.
  if (job.which === "new" && (status?.jobID ?? "") === (job.jobID ?? "")) return "running";
  if (isJobOpen(status)) return "running";
  return isFailedPhase(status?.phase) ? "failed" : "succeeded";
}
