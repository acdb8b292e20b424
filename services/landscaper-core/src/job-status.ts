import {
  conditionTypes,
  isFinalPhase,
  readyConditions,
  setCondition,
  setWarnings,
  toErrorStatus,
  toTimestamp,
  withGeneration,
  type Condition,
  type ConditionUpdate,
  type ErrorStatus,
  type LandscaperError,
  type TransitionTimes,
  type Warning,
} from "@landscaper/api";

/** The part of status that Installation and Execution share (core.md §2.1). */
export interface JobHolderStatus {
  phase?: string;
  jobID?: string;
  jobIDFinished?: string;
  transitionTimes?: TransitionTimes;
  conditions?: Condition[];
  lastError?: ErrorStatus;
  observedGeneration?: number;
  phaseTransitionTime?: string;
}

/** Without the keys, also when they hold nothing. */
export function omit<T extends object, K extends keyof T>(object: T, ...keys: readonly K[]): Omit<T, K> {
  const rest: Partial<T> = { ...object };
  for (const key of keys) delete rest[key];
  // Only `keys` were taken away.
  return rest as Omit<T, K>;
}

/** A new job: the phase stays until its work begins (decideInstallation says why). */
export function startJob<S extends JobHolderStatus>(status: S, jobID: string, now: Date): S {
  return { ...withGeneration(status), jobID, transitionTimes: { triggerTime: toTimestamp(now) } };
}

export function movePhase<S extends JobHolderStatus>(status: S, phase: string, now: Date): S {
  if (status.phase === phase) return status;
  return { ...status, phase, phaseTransitionTime: toTimestamp(now) };
}

export function addTime<S extends JobHolderStatus>(status: S, time: keyof TransitionTimes, now: Date): S {
  return { ...status, transitionTimes: { ...status.transitionTimes, [time]: toTimestamp(now) } };
}

/** The work begins: first phase and the generation that is worked on; the error of the last job goes. */
export function enterJob<S extends JobHolderStatus>(
  status: S,
  { phase, generation }: { readonly phase: string; readonly generation: number | undefined },
  now: Date,
): S {
  const entered = movePhase(status, phase, now);
  const next = generation === undefined ? entered : { ...entered, observedGeneration: generation };
  // lastError is optional in every status that has one.
  return omit(next, "lastError") as S;
}

/** Final phase, jobIDFinished and lastError together: the caller writes them in one status write. */
export function finishJob<S extends JobHolderStatus>(
  status: S,
  { phase, error }: { readonly phase: string; readonly error?: LandscaperError | undefined },
  now: Date,
): S {
  // The operation of an error that names none is the phase in which it happened.
  const explained = error === undefined ? clearError(status) : setError(status, error, now);
  const ended = addTime(movePhase(explained, phase, now), "finishedTime", now);
  return { ...ended, ...(ended.jobID === undefined ? {} : { jobIDFinished: ended.jobID }) };
}

export function clearError<S extends JobHolderStatus>(status: S): S {
  // lastError is optional in every status that has one.
  return status.lastError === undefined ? status : (omit(status, "lastError") as S);
}

export function setError<S extends JobHolderStatus>(status: S, error: LandscaperError, now: Date): S {
  const lastError = toErrorStatus(error, {
    operation: error.operation ?? `handlePhase${status.phase ?? ""}`,
    reason: error.reason,
    now,
    previous: status.lastError,
  });
  return { ...status, lastError };
}

export function addCondition<S extends JobHolderStatus>(status: S, update: ConditionUpdate, now: Date): S {
  const conditions = setCondition(status.conditions, update, now);
  return conditions === status.conditions ? status : { ...status, conditions: [...conditions] };
}

/** What the job has accepted although it may not be meant so; nothing of an earlier one stays. */
export function addWarnings<S extends JobHolderStatus>(status: S, warnings: readonly Warning[], now: Date): S {
  const before = status.conditions ?? [];
  const conditions = setWarnings(before, warnings, now);
  return conditions === before ? status : { ...status, conditions: [...conditions] };
}

/** A warning beside those that are there. */
export function addWarning<S extends JobHolderStatus>(status: S, warning: Warning, now: Date): S {
  const told = status.conditions?.find(({ type }) => type === conditionTypes.warnings);
  const before = told === undefined ? [] : [{ reason: told.reason, message: told.message }];
  return addWarnings(status, [...before, warning], now);
}

/** Brings Ready, Reconciling and Stalled in step with the rest; `waiting` says what a running job waits for. */
export function refreshReady<S extends JobHolderStatus>(
  status: S,
  { generation, waiting }: { readonly generation: number; readonly waiting?: string | undefined },
  now: Date,
): S {
  const updates = readyConditions({ status, generation }).map((update) =>
    waiting !== undefined && !isFinalPhase(status.phase) ? { ...update, message: waiting } : update,
  );
  return updates.reduce((next, update) => addCondition(next, update, now), status);
}

/** Whether refreshReady would change nothing but messages. */
export function isReadyCurrent(status: JobHolderStatus, generation: number): boolean {
  return readyConditions({ status, generation }).every((update) => {
    const current = status.conditions?.find(({ type }) => type === update.type);
    return current?.status === update.status && current.observedGeneration === update.observedGeneration;
  });
}
