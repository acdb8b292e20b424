import {
  conditionTypes,
  environmentNamespaces,
  isJobOpen,
  namespaceNotServed,
  setCondition,
  type Condition,
  type DeployItem,
  type DeployerRegistration,
  type Environment,
  type Target,
} from "@landscaper/api";
import { nameOf, namespaceOf } from "../../object-reading.ts";
import { claimingEnvironments, findUnserving, type KnownEnvironments } from "../stamps/claiming-environments.ts";

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
  /** Usually there is none, and nothing to match. */
  readonly isAnySilent: boolean;
  readonly registrations: readonly DeployerRegistration[];
}

/** The silent Environment that acts for the Target; undefined when one that is not silent acts for it, too. */
function findSilent(item: DeployItem, sources: SilenceSources): Environment | undefined {
  const { target, environments, registrations, isAnySilent } = sources;
  if (target === undefined || !isAnySilent) return undefined;
  const responsible = claimingEnvironments({ item, target }, environments, registrations);
  return responsible.every(isSilent) ? responsible[0] : undefined;
}

/** Why no deployer takes the item, or goes on with it, as far as its Environment is the reason. */
function findObstacle(
  item: DeployItem,
  sources: SilenceSources,
): { readonly reason: string; readonly message: string } | undefined {
  const { target, environments } = sources;
  const unserving = findUnserving({ item, target }, environments);
  if (unserving !== undefined) {
    const who = `Environment ${nameOf(unserving)} acts for the Target`;
    const message = `${who}, but does not serve namespace ${namespaceOf(item)}: its spec.namespaces does not name it`;
    return { reason: namespaceNotServed, message };
  }
  const silent = findSilent(item, sources);
  if (silent === undefined) return undefined;
  const { reason = "", message = "" } = reachableOf(silent) ?? {};
  return { reason, message: `Environment ${nameOf(silent)} acts for the Target: ${message}` };
}

/**
 * Conditions of a DeployItem, with EnvironmentReachable while a job waits for deployers of an Environment that is silent, or does not serve
 * the namespace (docs/reference/deployer-management.md#status). Undefined when nothing changes. Pure.
 */
export function decideSilence(item: DeployItem, sources: SilenceSources, now: Date): readonly Condition[] | undefined {
  const conditions = item.status?.conditions ?? [];
  const obstacle = isJobOpen(item.status) ? findObstacle(item, sources) : undefined;
  if (obstacle !== undefined) {
    const next = setCondition(conditions, { type, status: "False", ...obstacle }, now);
    return next === conditions ? undefined : next;
  }
  return hasSilence(item) ? conditions.filter((condition) => condition.type !== type) : undefined;
}

export function hasSilence({ status }: DeployItem): boolean {
  return status?.conditions?.some((condition) => condition.type === type) === true;
}

/** Whether the Environment may be an obstacle for DeployItems. */
export function mayHinder(environment: Environment): boolean {
  return environmentNamespaces(environment.spec) !== undefined || isSilent(environment);
}

/** The list with conditions changes only when an agent falls silent or is back, and when the Targets or namespaces of an Environment are others. */
export function silenceState(environment: Environment): string {
  const { metadata, spec } = environment;
  return JSON.stringify([metadata.uid, isSilent(environment), spec.targetSelectors, environmentNamespaces(spec)]);
}
