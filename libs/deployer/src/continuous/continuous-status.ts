import {
  conditionTypes,
  setCondition,
  toErrorStatus,
  toTimestamp,
  type ConditionUpdate,
  type DeployItem,
  type DeployItemStatus,
} from "@landscaper/api";
import type { ProviderStatus } from "../deployer-interface.ts";
import type { ExportRef } from "../jobs/reporting/export-secret.ts";

/** What a run between jobs has to say. Unknown = it is still in work. */
export type RunState =
  | { readonly type: "started"; readonly by: DeployerInfo }
  | { readonly type: "waiting"; readonly for: string }
  /** Tried again within the run. */
  | { readonly type: "failing"; readonly error: unknown }
  | { readonly type: "succeeded" }
  | { readonly type: "failed"; readonly error: unknown };

export interface RunNews {
  readonly now: Date;
  readonly state: RunState;
  readonly providerStatus?: ProviderStatus | undefined;
  /** Undefined leaves it, null removes it. */
  readonly exportRef?: ExportRef | null | undefined;
  /** Of the deployer. */
  readonly conditions?: readonly ConditionUpdate[] | undefined;
}

/** Who acts, for `status.deployer`. */
export interface DeployerInfo {
  readonly identity: string;
  readonly name: string;
  readonly version: string;
}

/**
 * The status with the news: conditions, provider status, the place of exports, and at the start the deployer that is at work; nothing of
 * the job. Pure.
 */
export function continuousStatus(item: DeployItem, news: RunNews): DeployItemStatus {
  const { now, state, providerStatus, exportRef, conditions = [] } = news;
  const { exportRef: formerRef, ...before } = item.status ?? {};
  const ref = exportRef === undefined ? formerRef : (exportRef ?? undefined);
  const claim = state.type === "started" ? { deployer: { ...state.by } } : {};
  const update = { ...describeRun(state, now), observedGeneration: item.metadata.generation };
  return {
    ...before,
    ...claim,
    ...(providerStatus === undefined ? {} : { providerStatus: { ...providerStatus } }),
    ...(ref === undefined ? {} : { exportRef: ref }),
    conditions: stampCondition(addConditions(before.conditions, [...conditions, update], now), update.type, now),
  };
}

type Conditions = NonNullable<DeployItemStatus["conditions"]>;

/** `conditions` of a status with the updates in them. */
export function addConditions(
  conditions: Conditions | undefined,
  updates: readonly ConditionUpdate[],
  now: Date,
): Conditions {
  type Strict = Parameters<typeof setCondition>[0];
  // What others have written without a field is compared as it is.
  const start = conditions as Strict;
  return [...(updates.reduce((list: Strict, update) => setCondition(list, update, now), start) ?? [])];
}

/** Moves the time of a condition although its words are the same: of a run the next one counts from there, of a plan it says which one. */
export function stampCondition(conditions: Conditions, type: string, now: Date): Conditions {
  return conditions.map((condition) =>
    condition.type === type ? { ...condition, lastUpdateTime: toTimestamp(now) } : condition,
  );
}

function describeRun(state: RunState, now: Date): ConditionUpdate {
  const type = conditionTypes.continuousReconcile;
  switch (state.type) {
    case "started":
      return { type, status: "Unknown", reason: "Running", message: `${state.by.identity} is at work between jobs` };
    case "waiting":
      return { type, status: "Unknown", reason: "Running", message: `waiting for ${state.for}` };
    case "succeeded":
      return { type, status: "True", reason: "Succeeded", message: "what the last job deployed was made sure of" };
    case "failing":
    case "failed": {
      const { reason, message, codes } = toErrorStatus(state.error, {
        operation: "ContinuousReconcile",
        reason: "ReconcileFailed",
        now,
      });
      return { type, status: state.type === "failing" ? "Unknown" : "False", reason, message, codes };
    }
  }
}
