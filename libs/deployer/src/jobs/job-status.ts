import {
  conditionTypes,
  hasWarnings,
  readyConditions,
  setWarnings,
  toErrorStatus,
  toTimestamp,
  type ConditionUpdate,
  type DeployItem,
  type DeployItemStatus,
  type ErrorStatus,
  type Warning,
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
  /** Those of the last job stay beside them until the end. */
  readonly warnings?: readonly Warning[] | undefined;
}

/**
 * The write before the work (seed-002 §4): it says that the job was picked up, when, by whom, and what will be managed. The
 * phase Init is passed through at once.
 */
export function pickUpStatus(item: DeployItem, pickUp: PickUp): DeployItemStatus {
  const { now, deployer, isDeleting, jobID, providerStatus, warnings } = pickUp;
  const {
    lastError: _last,
    lastErrors: _errors,
    firstError: _first,
    workedSeconds: _worked,
    conditions: all = [],
    ...kept
  } = item.status ?? {};
  const own = all.filter(({ type }) => !betweenJobs.has(type) && type !== conditionTypes.deployed);
  const conditions = hasWarnings(own, warnings ?? []) ? own : setWarnings(own, warnings ?? [], now);
  const triggered = jobID === undefined ? item.status?.transitionTimes?.triggerTime : toTimestamp(now);
  const status: DeployItemStatus = {
    ...kept,
    conditions: [...conditions],
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

/** What a deployer says of its work. */
export interface Reported {
  readonly providerStatus?: ProviderStatus | undefined;
  readonly conditions?: readonly ConditionUpdate[] | undefined;
}

/** The status with what the deployer says; nothing of the job changes. */
export function reportedStatus(
  { status = {} }: Pick<DeployItem, "status">,
  { now, providerStatus, conditions = [] }: Reported & { readonly now: Date },
): DeployItemStatus {
  return {
    ...status,
    ...(providerStatus === undefined ? {} : { providerStatus: { ...providerStatus } }),
    ...(conditions.length === 0 ? {} : { conditions: addConditions(status.conditions, conditions, now) }),
  };
}

export interface Progress extends Reported {
  readonly now: Date;
  /** What the job waits for. */
  readonly waitingFor: string;
}

/** The job goes on and nothing is wrong (any more). */
export function progressStatus(item: DeployItem, { now, waitingFor, ...reported }: Progress): DeployItemStatus {
  const { lastError: _gone, ...kept } = item.status ?? {};
  const status = reportedStatus({ status: kept }, { now, ...reported });
  return withConditions(item, status, { now, message: `waiting for ${waitingFor}` });
}

export interface JobError extends Reported {
  readonly now: Date;
  readonly error: unknown;
  readonly operation: string;
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
  /** Undefined leaves those of the pickup. */
  readonly warnings?: readonly Warning[] | undefined;
}

/** The one write that ends a job: final phase, jobIDFinished and lastError together (seed-002 §5). */
export function finishStatus(item: DeployItem, finish: Finish): DeployItemStatus {
  const { now, phase, failure, providerStatus, exportRef, conditions, warnings } = finish;
  const { exportRef: formerRef, workedSeconds: _worked, ...before } = item.status ?? {};
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
  const reported = addConditions(status.conditions, conditions ?? [], now);
  const own = { conditions: warnings === undefined ? reported : [...setWarnings(reported, warnings, now)] };
  return withConditions(item, { ...status, ...own }, { now });
}

/** Pickup and finish in one: there is nothing to do, such as when nothing has changed since the last success (updateOnChangeOnly). */
export function acknowledgeStatus(item: DeployItem, pickUp: PickUp): DeployItemStatus {
  const status = pickUpStatus(item, pickUp);
  return finishStatus({ ...item, status }, { now: pickUp.now, phase: "Succeeded" });
}

/** Pickup and finish in one: the job fails before anything is done. */
export function rejectStatus(item: DeployItem, pickUp: PickUp, failure: Required<Finish>["failure"]): DeployItemStatus {
  const status = pickUpStatus(item, pickUp);
  const conditions = isUntouched(item.status) ? [untouched] : [];
  const phase = pickUp.isDeleting ? "DeleteFailed" : "Failed";
  return finishStatus({ ...item, status }, { now: pickUp.now, phase, failure, conditions });
}

export const untouched: ConditionUpdate = {
  type: conditionTypes.deployed,
  status: "False",
  reason: "NothingDeployed",
  message: "every job so far has ended before the deployer did anything; the item can be deleted without its target",
};

/** Whether no job has come as far as the work: the item can be deleted although its Target is missing. */
export function isUntouched(status: DeployItemStatus | undefined): boolean {
  return status?.lastReconcileTime === undefined || hasDeployedNothing(status);
}

/** Whether the last job reported that no job has deployed anything. False without a status: it may have been lost. */
export function hasDeployedNothing(status: DeployItemStatus | undefined): boolean {
  return (
    status?.conditions?.some(({ type, reason }) => type === untouched.type && reason === untouched.reason) === true
  );
}

function withError(before: DeployItemStatus, failure: JobError): DeployItemStatus {
  const { error, operation, now } = failure;
  const lastError = toErrorStatus(error, { operation, reason: "ReconcileFailed", now, previous: before.lastError });
  return {
    ...reportedStatus({ status: before }, failure),
    lastError,
    firstError: before.firstError ?? lastError,
    lastErrors: appendError(before.lastErrors ?? [], lastError),
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
