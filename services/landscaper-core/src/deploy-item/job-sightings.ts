import { isJobAtWork, isJobOpen, type DeployItem } from "@landscaper/api";
import { isLeaving } from "./leaving-items.ts";

/** The times of the clock of this process at one moment. */
export interface SightingTimes {
  /** Of a clock that nobody sets, in ms. */
  readonly elapsedMs: number;
  /** The time of day, in ms since the epoch. */
  readonly nowMs: number;
}

/** When an item is seen. */
export interface SightingMoment extends SightingTimes {
  /** Whether the process has just begun to look at items, and finds those that were there before. */
  readonly isStarting: boolean;
}

/** What this process has seen of the present job of an item. Spans follow from `elapsed` alone: no time that another process has written is read. */
export interface JobSighting {
  readonly uid: string | undefined;
  /** Empty without a job. */
  readonly jobID: string;
  /** When the job was first seen open. */
  readonly opened: SightingTimes;
  /** Whether the job was open before this process began. */
  readonly wasOpenBefore: boolean;
  /** `status.lastReconcileTime` when the job was triggered, as far as this process has seen it. */
  readonly lastReconcileTimeAtTrigger: string | undefined;
  readonly isPickedUp: boolean;
  /** When the last sign of the deployer was seen: a change of the phase or of `lastReconcileTime`; at first `opened`. In ms of `elapsed`. */
  readonly signMs: number;
  readonly phase: string | undefined;
  readonly lastReconcileTime: string | undefined;
  /** When the item was first seen to be deleted without uninstalling it. In ms of `elapsed`. */
  readonly leavingMs: number | undefined;
}

/**
 * What is known of the item after it was seen again; `previous` is what was known before. Pure.
 *
 * | previous | item | then |
 * |---|---|---|
 * | none, or of another uid | any | a job that is open was open before this process began, if the process is just starting |
 * | no job | open | opened now; the last known lastReconcileTime is that of the trigger |
 * | another job | open | opened now; its lastReconcileTime is that of the trigger |
 * | the same job | phase or lastReconcileTime differ | a sign of the deployer |
 * | the same job | the same | as before |
 *
 * Whatever the job, an item is deleted without uninstalling it since it was first seen so.
 *
 * The job is picked up from the first phase on that only a running job has, or from the first lastReconcileTime on that differs from that of the trigger.
 */
export function sightJob(
  previous: JobSighting | undefined,
  item: DeployItem,
  { isStarting, ...times }: SightingMoment,
): JobSighting {
  const { metadata, status = {} } = item;
  const jobID = isJobOpen(status) ? (status.jobID ?? "") : "";
  const { phase, lastReconcileTime } = status;
  const known = previous?.uid === metadata.uid ? previous : undefined;
  const leavingMs = isLeaving(item) ? (known?.leavingMs ?? times.elapsedMs) : undefined;
  const now = { uid: metadata.uid, jobID, phase, lastReconcileTime, leavingMs };
  const isAtWork = jobID !== "" && isJobAtWork(phase);
  if (known === undefined || known.jobID !== jobID) {
    const isTriggerSeen = known?.jobID === "";
    const lastReconcileTimeAtTrigger = isTriggerSeen ? known.lastReconcileTime : lastReconcileTime;
    return {
      ...now,
      opened: times,
      wasOpenBefore: isStarting && known === undefined && jobID !== "",
      lastReconcileTimeAtTrigger,
      isPickedUp: isAtWork || lastReconcileTime !== lastReconcileTimeAtTrigger,
      signMs: times.elapsedMs,
    };
  }
  const hasChanged = phase !== known.phase || lastReconcileTime !== known.lastReconcileTime;
  return {
    ...known,
    ...now,
    isPickedUp: known.isPickedUp || isAtWork || lastReconcileTime !== known.lastReconcileTimeAtTrigger,
    signMs: hasChanged ? times.elapsedMs : known.signMs,
  };
}
