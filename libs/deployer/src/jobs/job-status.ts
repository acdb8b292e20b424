import {
  conditionTypes,
  readyConditions,
  toErrorStatus,
  toTimestamp,
  type ConditionUpdate,
  type DeployItem,
  type DeployItemStatus,
  type ErrorStatus,
} from "@landscaper/api";
import { addConditions, type DeployerInfo } from "../continuous/continuous-status.ts";
import type { ProviderStatus } from "../deployer-interface.ts";

/** Of what went on between jobs: the job is the next run, and a plan was of what it finds before. */
const betweenJobs: ReadonlySet<string | undefined> = new Set([
  conditionTypes.continuousReconcile,
  conditionTypes.planned,
]);
/** Entries of `lastErrors` that are kept. */
const maxErrors = 5;

export interface PickUp {
  readonly now: Date;
  readonly deployer: DeployerInfo;
  readonly isDeleting: boolean;
  /** Of a test-reconcile; the Landscaper gave the id otherwise. */
  readonly jobID?: string | undefined;
  readonly providerStatus?: ProviderStatus | undefined;
}

/**
 * The write before the work (seed-002 §4): it says that the job was picked up, when, by whom, and what will be managed. The
 * phase Init is passed through at once.
 */
export function pickUpStatus(item: DeployItem, pickUp: PickUp): DeployItemStatus {
  const { now, deployer, isDeleting, jobID, providerStatus } = pickUp;
  const { lastError: _last, lastErrors: _errors, firstError: _first, conditions, ...kept } = item.status ?? {};
  const triggered = jobID === undefined ? item.status?.transitionTimes?.triggerTime : toTimestamp(now);
  const status: DeployItemStatus = {
    ...kept,
    ...(conditions === undefined ? {} : { conditions: conditions.filter(({ type }) => !betweenJobs.has(type)) }),
    ...(jobID === undefined ? {} : { jobID, jobIDGenerationTime: toTimestamp(now) }),
    phase: isDeleting ? "Deleting" : "Progressing",
    lastReconcileTime: toTimestamp(now),
    deployer: { ...deployer },
    transitionTimes: {
      ...(triggered === undefined ? {} : { triggerTime: triggered }),
      initTime: toTimestamp(now),
    },
    ...(item.metadata.generation === undefined ? {} : { observedGeneration: item.metadata.generation }),
    ...(providerStatus === undefined ? {} : { providerStatus: { ...providerStatus } }),
  };
  return withConditions(item, status, { now });
}

export interface Progress {
  readonly now: Date;
  /** What the job waits for. */
  readonly waitingFor: string;
  readonly providerStatus?: ProviderStatus | undefined;
}

/** The job goes on and nothing is wrong (any more). */
export function progressStatus(item: DeployItem, { now, waitingFor, providerStatus }: Progress): DeployItemStatus {
  const { lastError: _gone, ...kept } = item.status ?? {};
  const status = { ...kept, ...(providerStatus === undefined ? {} : { providerStatus: { ...providerStatus } }) };
  return withConditions(item, status, { now, message: `waiting for ${waitingFor}` });
}

export interface JobError {
  readonly now: Date;
  readonly error: unknown;
  readonly operation: string;
  readonly providerStatus?: ProviderStatus | undefined;
}

/** The job goes on, but something is wrong. */
export function errorStatus(item: DeployItem, failure: JobError): DeployItemStatus {
  const status = withError(item.status ?? {}, failure);
  return withConditions(item, status, { now: failure.now, message: status.lastError?.message });
}

export interface Finish {
  readonly now: Date;
  readonly phase: "Succeeded" | "Failed" | "DeleteFailed";
  readonly failure?: { readonly error: unknown; readonly operation: string } | undefined;
  readonly providerStatus?: ProviderStatus | undefined;
  /** Undefined leaves it, null removes it. */
  readonly exportRef?: { readonly name: string; readonly namespace: string } | null | undefined;
  /** Of the deployer. */
  readonly conditions?: readonly ConditionUpdate[] | undefined;
}

/** The one write that ends a job: final phase, jobIDFinished and lastError together (seed-002 §5). */
export function finishStatus(item: DeployItem, finish: Finish): DeployItemStatus {
  const { now, phase, failure, providerStatus, exportRef, conditions } = finish;
  const { exportRef: formerRef, ...before } = item.status ?? {};
  const { lastError: _last, ...clean } = before;
  const base = failure === undefined ? clean : withError(before, { now, ...failure });
  const ref = exportRef === undefined ? formerRef : (exportRef ?? undefined);
  const status: DeployItemStatus = {
    ...base,
    phase,
    ...(base.jobID === undefined ? {} : { jobIDFinished: base.jobID }),
    transitionTimes: { ...base.transitionTimes, finishedTime: toTimestamp(now) },
    ...(providerStatus === undefined ? {} : { providerStatus: { ...providerStatus } }),
    ...(ref === undefined ? {} : { exportRef: ref }),
  };
  const own = conditions === undefined ? {} : { conditions: addConditions(status.conditions, conditions, now) };
  return withConditions(item, { ...status, ...own }, { now });
}

/** Pickup and finish in one: the item succeeded before, and nothing has changed (updateOnChangeOnly). */
export function acknowledgeStatus(item: DeployItem, pickUp: PickUp): DeployItemStatus {
  const status = pickUpStatus(item, pickUp);
  return finishStatus({ ...item, status }, { now: pickUp.now, phase: "Succeeded" });
}

/**
 * Pickup and finish in one: the job fails before anything is done. `lastReconcileTime` stays, so that an item that was never
 * worked on is known as such when it is deleted.
 */
export function rejectStatus(item: DeployItem, pickUp: PickUp, failure: Required<Finish>["failure"]): DeployItemStatus {
  const { lastReconcileTime: _now, ...status } = pickUpStatus(item, pickUp);
  const before = item.status?.lastReconcileTime;
  const unworked = { ...status, ...(before === undefined ? {} : { lastReconcileTime: before }) };
  const phase = pickUp.isDeleting ? "DeleteFailed" : "Failed";
  return finishStatus({ ...item, status: unworked }, { now: pickUp.now, phase, failure });
}

function withError(before: DeployItemStatus, failure: JobError): DeployItemStatus {
  const { error, operation, now, providerStatus } = failure;
  const lastError = toErrorStatus(error, { operation, reason: "ReconcileFailed", now, previous: before.lastError });
  return {
    ...before,
    lastError,
    firstError: before.firstError ?? lastError,
    lastErrors: appendError(before.lastErrors ?? [], lastError),
    ...(providerStatus === undefined ? {} : { providerStatus: { ...providerStatus } }),
  };
}

/** The same error again is no new entry. */
function appendError(errors: readonly ErrorStatus[], error: ErrorStatus): ErrorStatus[] {
  const last = errors.at(-1);
  const isRepeated = last !== undefined && last.message === error.message && last.reason === error.reason;
  return isRepeated ? [...errors] : [...errors, error].slice(-maxErrors);
}

interface ConditionOptions {
  readonly now: Date;
  /** In place of the general words while a job runs. */
  readonly message?: string | undefined;
}

function withConditions(
  item: DeployItem,
  status: DeployItemStatus,
  { now, message }: ConditionOptions,
): DeployItemStatus {
  const updates = readyConditions({ status, generation: item.metadata.generation ?? 0 });
  const worded = message === undefined ? updates : updates.map((update) => ({ ...update, message }));
  return { ...status, conditions: addConditions(status.conditions, worded, now) };
}
