import {
  conditionTypes,
  toErrorStatus,
  type ConditionUpdate,
  type DeployItem,
  type DeployItemStatus,
} from "@landscaper/api";
import { addConditions, stampCondition, type DeployerInfo } from "../continuous/continuous-status.ts";

const type = conditionTypes.planned;
const maxSummaryLength = 1000;

/** How far a request for a plan is. */
export type PlanState =
  /** The claim: the status says which deployer has the item. */
  | { readonly type: "started"; readonly by: DeployerInfo }
  /** It is tried again. */
  | { readonly type: "failing"; readonly error: unknown }
  | { readonly type: "planned"; readonly summary: string; readonly secretName: string }
  | { readonly type: "failed"; readonly error: unknown };

export interface PlanNews {
  readonly now: Date;
  readonly state: PlanState;
  /** Of the spec that is planned; the item may be ahead. */
  readonly generation: number | undefined;
}

/** The status with condition `Planned`, and with the deployer that is at work; nothing of the job. Pure. */
export function planStatus(item: DeployItem, { now, state, generation }: PlanNews): DeployItemStatus {
  const claim = state.type === "started" ? { deployer: { ...state.by } } : {};
  const update = { ...describePlan(state, now), observedGeneration: generation };
  const conditions = stampCondition(addConditions(item.status?.conditions, [update], now), type, now);
  return { ...item.status, ...claim, conditions };
}

/** Returns the status of an item that no longer requests a plan. `by` is the deployer that writes the status. Pure. */
export function withdrawnStatus({ status }: DeployItem, by: DeployerInfo): DeployItemStatus {
  const { conditions = [], ...rest } = status ?? {};
  return { ...rest, deployer: { ...by }, conditions: conditions.filter((condition) => condition.type !== type) };
}

function describePlan(state: PlanState, now: Date): ConditionUpdate {
  switch (state.type) {
    case "started":
      return { type, status: "Unknown", reason: "Running", message: `${state.by.identity} is making the plan` };
    case "planned": {
      const summary = state.summary.replaceAll(/\s+/g, " ").trim().slice(0, maxSummaryLength);
      return { type, status: "True", reason: "Planned", message: `${summary}; see Secret ${state.secretName}` };
    }
    case "failing":
    case "failed": {
      const { reason, message, codes } = toErrorStatus(state.error, {
        operation: "Plan",
        reason: "InternalError",
        now,
      });
      return { type, status: state.type === "failing" ? "Unknown" : "False", reason, message, codes };
    }
  }
}
