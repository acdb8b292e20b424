import {
  failureReason,
  findNewWarnings,
  formatKey,
  keyOf,
  isFailedPhase,
  isJobOpen,
  type DeployItem,
  type ErrorStatus,
  type KubeObject,
} from "@landscaper/api";
import type { EventRecorder, Logger } from "@landscaper/controller-runtime";
import type { JobObserver } from "@landscaper/deployer";
import type { Announcer } from "./announcer.ts";
import { ExecutionJobs } from "./execution-jobs.ts";
import { listJobLines } from "./job-log.ts";
import type { JobHolderStatus } from "./job-status.ts";

type JobObject = KubeObject & { readonly status?: JobHolderStatus };

/** A Kubernetes event to write. */
export interface KubeEventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

function isSameError(a: ErrorStatus | undefined, b: ErrorStatus | undefined): boolean {
  return a?.reason === b?.reason && a?.message === b?.message && a?.operation === b?.operation;
}

/**
 * The Kubernetes events of a status change (design.md §3.10): one at the start of a job, one at its end, a Warning for each new
 * error, and for warnings that are new. Pure.
 */
export function listKubeEvents(current: JobHolderStatus, previous: JobHolderStatus): readonly KubeEventText[] {
  const events: KubeEventText[] = [];
  const { jobID = "", lastError } = current;
  if (jobID !== "" && jobID !== (previous.jobID ?? "")) {
    events.push({ type: "Normal", reason: "JobStarted", message: `job ${jobID} started` });
  }
  const isEnd = hasEnded(current, previous);
  if (isEnd && !isFailedPhase(current.phase)) {
    events.push({ type: "Normal", reason: "JobSucceeded", message: `job ${jobID} succeeded` });
  }
  const isNewError = !isSameError(lastError, previous.lastError) || (isEnd && isFailedPhase(current.phase));
  const warning = findNewWarnings(current.conditions, previous.conditions);
  if (warning !== undefined) events.push({ type: "Warning", ...warning });
  if (lastError !== undefined && isNewError) {
    events.push({ type: "Warning", reason: failureReason(lastError), message: lastError.message });
  }
  return events;
}

/** Of an Execution (ADR 8): the end of a job that failed or changed something. Pure. */
export function listExecutionEvents(
  current: JobHolderStatus,
  { previous, isNews }: { readonly previous: JobHolderStatus; readonly isNews: boolean },
): readonly KubeEventText[] {
  if (!hasEnded(current, previous)) return [];
  if (isFailedPhase(current.phase)) return listKubeEvents(current, previous).filter(({ type }) => type === "Warning");
  return isNews ? [{ type: "Normal", reason: "JobSucceeded", message: `job ${current.jobID} succeeded` }] : [];
}

function hasEnded(current: JobHolderStatus, previous: JobHolderStatus): boolean {
  return !isJobOpen(current) && current.jobIDFinished !== previous.jobIDFinished;
}

export interface AnnouncerOptions {
  readonly recorder: EventRecorder;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Counts jobs. Default: nobody does. */
  readonly onEnd?: JobObserver | undefined;
}

/**
 * Events of Installations, of Executions at the end of a job, and of DeployItems that the core fails, go to Kubernetes; the jobs of
 * Installations are in the log.
 */
export function createAnnouncer({ recorder, log, onEnd = () => {} }: AnnouncerOptions): Announcer {
  const executions = new ExecutionJobs();
  const count = (current: JobObject, previous: JobObject): void => {
    if (hasEnded(current.status ?? {}, previous.status ?? {})) onEnd(current);
  };
  const record = (current: JobObject, previous: JobObject): void => {
    for (const event of listKubeEvents(current.status ?? {}, previous.status ?? {})) recorder.event(current, event);
  };
  return {
    installation: (current, previous) => {
      for (const { level, message, fields } of listJobLines(current.status ?? {}, previous.status ?? {})) {
        log[level]({ installation: formatKey(keyOf(current)), ...fields }, message);
      }
      count(current, previous);
      record(current, previous);
    },
    execution: (current, previous) => {
      count(current, previous);
      for (const event of listExecutionEvents(current.status ?? {}, executions.follow(current, previous))) {
        recorder.event(current, event);
      }
    },
    deployItem: (current: DeployItem, previous: DeployItem) => {
      if (isFailedPhase(current.status?.phase)) {
        count(current, previous);
        record(current, previous);
      }
    },
    released: (object) => {
      executions.forget(object);
      onEnd(object);
    },
  };
}
