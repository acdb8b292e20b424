import {
  conditionTypes,
  isJobOpen,
  setCondition,
  type Condition,
  type DeployItem,
  type DeployerRegistration,
  type Environment,
  type Target,
} from "@landscaper/api";
import { nameOf } from "../../object-reading.ts";
import { claimingEnvironments, type KnownEnvironments } from "../stamps/claiming-environments.ts";

const type = conditionTypes.environmentReachable;

function reachableOf({ status }: Environment): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === conditionTypes.reachable);
}

export function isSilent(environment: Environment): boolean {
  return reachableOf(environment)?.status === "False";
}

/** Who may act for a DeployItem, and its Target; undefined where there is none, or it does not exist. */
export interface SilenceSources {
  readonly target: Target | undefined;
  readonly environments: KnownEnvironments;
  readonly registrations: readonly DeployerRegistration[];
}

/** The silent Environment that acts for the Target; undefined when one that is not silent acts for it, too. */
function findSilent(item: DeployItem, sources: SilenceSources): Environment | undefined {
  const { target, environments, registrations } = sources;
  // Usually there is none, and nothing to match.
  if (target === undefined || !environments.list().some(isSilent)) return undefined;
  const responsible = claimingEnvironments({ item, target }, environments, registrations);
  return responsible.every(isSilent) ? responsible[0] : undefined;
}

/**
 * Conditions of a DeployItem, with EnvironmentReachable while a job waits for deployers of a silent Environment
 * (docs/reference/deployer-management.md#status). Undefined when nothing changes. Pure.
 */
export function decideSilence(item: DeployItem, sources: SilenceSources, now: Date): readonly Condition[] | undefined {
  const conditions = item.status?.conditions ?? [];
  const silent = isJobOpen(item.status) ? findSilent(item, sources) : undefined;
  if (silent !== undefined) {
    const { reason = "", message = "" } = reachableOf(silent) ?? {};
    const told = `Environment ${nameOf(silent)} acts for the Target: ${message}`;
    const next = setCondition(conditions, { type, status: "False", reason, message: told }, now);
    return next === conditions ? undefined : next;
  }
  return hasSilence(item) ? conditions.filter((condition) => condition.type !== type) : undefined;
}

export function hasSilence({ status }: DeployItem): boolean {
  return status?.conditions?.some((condition) => condition.type === type) === true;
}

/** The list with conditions changes only when an agent falls silent or is back, and when the Targets of an Environment are others. */
export function silenceState(environment: Environment): string {
  const { metadata, spec } = environment;
  return JSON.stringify([metadata.uid, isSilent(environment), spec.targetSelectors]);
}
