import {
  isFailedPhase,
  isFinalPhase,
  isJobOpen,
  type DeployItem,
  type ErrorStatus,
  type KubeObject,
} from "@landscaper/api";
import type { EventRecorder } from "@landscaper/controller-runtime";
import type { EventPublisher } from "@landscaper/events";
import type { Announcer } from "./announcer.ts";
import type { JobHolderStatus } from "./job-status.ts";
import { nameOf, namespaceOf, uidOf } from "./object-reading.ts";

type JobObject = KubeObject & { readonly status?: JobHolderStatus };

/** A Kubernetes event to write. */
export interface KubeEventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Event reasons are words; the reasons of the protocol may have other characters (core.md §2.9). */
function toWord(reason: string): string {
  const words = reason.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("") || "Failed";
}

function isSameError(a: ErrorStatus | undefined, b: ErrorStatus | undefined): boolean {
  return a?.reason === b?.reason && a?.message === b?.message && a?.operation === b?.operation;
}

/**
 * The Kubernetes events of a status change (design.md §3.10): one at the start of a job, one at its end, a Warning for each new
 * error. Pure.
 */
export function listKubeEvents(current: JobHolderStatus, previous: JobHolderStatus): readonly KubeEventText[] {
  const events: KubeEventText[] = [];
  const { jobID = "", lastError } = current;
  if (jobID !== "" && jobID !== (previous.jobID ?? "")) {
    events.push({ type: "Normal", reason: "JobStarted", message: `job ${jobID} started` });
  }
  const hasEnded = !isJobOpen(current) && current.jobIDFinished !== previous.jobIDFinished;
  if (hasEnded && !isFailedPhase(current.phase)) {
    events.push({ type: "Normal", reason: "JobSucceeded", message: `job ${jobID} succeeded` });
  }
  const isNewError = !isSameError(lastError, previous.lastError) || (hasEnded && isFailedPhase(current.phase));
  if (lastError !== undefined && isNewError) {
    events.push({ type: "Warning", reason: toWord(lastError.reason), message: lastError.message });
  }
  return events;
}

/** Whether NATS hears of it: every other phase, and every start and end of a job. */
export function isTransition(current: JobHolderStatus, previous: JobHolderStatus): boolean {
  return (
    current.phase !== previous.phase ||
    current.jobID !== previous.jobID ||
    current.jobIDFinished !== previous.jobIDFinished
  );
}

/** Phases to tell of: a job that has just been given shows the phase of the last one until its work begins. */
function listPhases(current: JobHolderStatus, previous: JobHolderStatus): readonly string[] {
  const { phase = "" } = current;
  const isStarting = isJobOpen(current) && current.jobID !== previous.jobID;
  if (!isStarting) return [phase];
  return phase === "" || isFinalPhase(phase) ? ["Triggered"] : ["Triggered", phase];
}

export interface AnnouncerOptions {
  readonly recorder: EventRecorder;
  readonly publisher: EventPublisher;
}

/** Events of Installations, and of DeployItems that the core fails, go to Kubernetes; every transition goes to NATS. */
export function createAnnouncer({ recorder, publisher }: AnnouncerOptions): Announcer {
  const publish = (kind: string, current: JobObject, previous: JobObject): void => {
    const { status = {} } = current;
    if (!isTransition(status, previous.status ?? {})) return;
    const { jobID, lastError } = status;
    for (const phase of listPhases(status, previous.status ?? {})) {
      const hasError = isFailedPhase(phase) && lastError !== undefined;
      publisher.publish({
        data: {
          kind,
          namespace: namespaceOf(current),
          name: nameOf(current),
          uid: uidOf(current),
          phase,
          jobID,
          error: hasError ? { reason: lastError.reason, message: lastError.message } : undefined,
        },
      });
    }
  };
  const record = (current: JobObject, previous: JobObject): void => {
    for (const event of listKubeEvents(current.status ?? {}, previous.status ?? {})) recorder.event(current, event);
  };
  return {
    installation: (current, previous) => {
      record(current, previous);
      publish("Installation", current, previous);
    },
    execution: (current, previous) => publish("Execution", current, previous),
    deployItem: (current: DeployItem, previous: DeployItem) => {
      if (isFailedPhase(current.status?.phase)) record(current, previous);
      publish("DeployItem", current, previous);
    },
  };
}
