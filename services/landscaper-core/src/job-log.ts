import { conditionTypes, isFailedPhase, isJobOpen } from "@landscaper/api";
import type { JobHolderStatus } from "./job-status.ts";

/** A line of the log about a job. */
export interface JobLine {
  readonly level: "info" | "warn";
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What a status change has to say to who reads the log: that the job starts, what it waits for, that it ends, and why it failed. Pure. */
export function listJobLines(current: JobHolderStatus, previous: JobHolderStatus): readonly JobLine[] {
  const { jobID: job = "", lastError } = current;
  const lines: JobLine[] = [];
  if (job !== "" && job !== (previous.jobID ?? ""))
    lines.push({ level: "info", message: "job started", fields: { job } });
  const waiting = waitingOf(current);
  if (isJobOpen(current) && waiting !== undefined && waiting !== waitingOf(previous)) {
    lines.push({ level: "info", message: "job waits", fields: { job, for: waiting } });
  }
  if (isJobOpen(current) || current.jobIDFinished === previous.jobIDFinished) return lines;
  if (!isFailedPhase(current.phase)) return [...lines, { level: "info", message: "job succeeded", fields: { job } }];
  const { reason = "", message = "" } = lastError ?? {};
  return [...lines, { level: "warn", message: "job failed", fields: { job, reason, error: message } }];
}

/** The general words for a running job say nothing. */
const generalWords = "a job is running";

function waitingOf({ conditions = [] }: JobHolderStatus): string | undefined {
  const { status, message } = conditions.find(({ type }) => type === conditionTypes.reconciling) ?? {};
  return status === "True" && message !== generalWords ? message : undefined;
}
