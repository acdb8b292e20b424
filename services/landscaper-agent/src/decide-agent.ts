import {
  agentFinalizer,
  deployerManagementFinalizer,
  LandscaperError,
  type ClusterRole,
  type Environment,
  type KubeObject,
  type RoleBinding,
  type Secret,
  type ServiceAccount,
  type Target,
} from "@landscaper/api";
import { decideToken, sealingKeyOf } from "@landscaper/deployer";
import { isDeepEqual } from "@landscaper/patch";
import { missingEnvironment, type AgentSettings } from "./agent-settings.ts";
import { buildEnvironment, type WantedEnvironment } from "./build-environment.ts";
import { buildBinding, buildRole, isMade, readAccessToken, readPrivateKey } from "./build-host-objects.ts";

/** What there is of an Environment and of its host. */
export interface ObservedAgent {
  readonly environment: Environment | undefined;
  /** On the landscaper cluster. */
  readonly hostTarget: Target | undefined;
  /** UID of the cluster of the host. */
  readonly hostCluster: string;
  readonly host: HostObjects;
}

/** Absent where there is none of that name. */
export interface HostObjects {
  readonly account: ServiceAccount | undefined;
  readonly role: ClusterRole | undefined;
  readonly binding: RoleBinding | undefined;
  readonly secret: Secret | undefined;
}

export type HostKind = keyof HostObjects;

/** The next write; after it everything is observed again, so that a process may die between any two. */
export type AgentDecision =
  | { readonly kind: "create-account" }
  | { readonly kind: "create-role" }
  | { readonly kind: "update-role"; readonly role: ClusterRole }
  | { readonly kind: "create-binding" }
  | { readonly kind: "update-binding"; readonly binding: RoleBinding }
  /** A token is asked for, and put into the Secret, with a key for which tokens are sealed if it has none. */
  | { readonly kind: "write-access"; readonly secret: Secret | undefined }
  | { readonly kind: "create-environment"; readonly environment: Environment }
  | { readonly kind: "update-environment"; readonly environment: Environment }
  /** Of the host, because the Environment is deleted. */
  | { readonly kind: "delete"; readonly what: HostKind; readonly object: KubeObject }
  /** Everything is as it should be, until then (ms since the epoch). */
  | { readonly kind: "keep"; readonly untilMs: number }
  /** The Environment is deleted, and nothing of it is left on the host. */
  | { readonly kind: "gone" };

/** Access goes first. */
const removalOrder: readonly HostKind[] = ["binding", "role", "secret", "account"];

/**
 * Decides what an agent does next (docs/reference/deployer-management.md#agent). Throws LandscaperError if the Environment does not exist and the
 * configuration names no namespaces for it, and if another client created an object of the host that has the name of an agent's object. Pure.
 */
export function decideAgent(observed: ObservedAgent, settings: AgentSettings, nowMs: number): AgentDecision {
  const { environment, hostCluster, host } = observed;
  if (environment?.metadata.deletionTimestamp === undefined) {
    if (environment === undefined) demandNamespaces(settings);
    demandOwn(host, settings);
    const next = decideHost(host, settings, nowMs);
    const sealingKey = sealingKeyOf(readPrivateKey(host.secret));
    if (next.kind !== "keep" || sealingKey === undefined) return next;
    return decideEnvironment(environment, { settings, hostCluster, sealingKey }) ?? next;
  }
  if (isInUse(environment, observed)) {
    demandOwn(host, settings);
    return decideHost(host, settings, nowMs);
  }
  for (const what of removalOrder) {
    const object = host[what];
    if (object !== undefined && isMade(object, settings)) return { kind: "delete", what, object };
  }
  return { kind: "gone" };
}

/**
 * Whether the deployers are still uninstalled by this access: the Target of the host has its finalizer until they are, also when somebody has removed
 * that of the Environment.
 */
function isInUse(environment: Environment, { hostTarget }: ObservedAgent): boolean {
  const objects: readonly (KubeObject | undefined)[] = [environment, hostTarget];
  return objects.some((object) => object?.metadata.finalizers?.includes(deployerManagementFinalizer) === true);
}

function demandNamespaces({ environment, namespaces, hostIsLandscaperCluster }: AgentSettings): void {
  if (namespaces !== undefined) return;
  if (!hostIsLandscaperCluster) throw missingEnvironment(environment);
  throw new LandscaperError({
    message: `Environment ${environment} does not exist, and the configuration of its agent has no namespaces`,
    reason: "InvalidConfiguration",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "set namespaces (agent.namespaces of the chart) to the namespaces of the landscaper cluster whose DeployItems and Secrets the deployers of the Environment may read",
  });
}

function demandOwn(host: HostObjects, settings: AgentSettings): void {
  for (const object of Object.values(host) as readonly (KubeObject | undefined)[]) {
    if (object === undefined || isMade(object, settings)) continue;
    const { name = "", namespace } = object.metadata;
    const where = namespace === undefined ? "" : ` in namespace ${namespace}`;
    throw new LandscaperError({
      message: `${object.kind} ${name}${where} of the host exists already and was not made by the agent of Environment ${settings.environment}: it is left alone`,
      reason: "DeployerConflict",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      hint: "delete it, or give the agent another name",
    });
  }
}

function decideHost(
  { account, role, binding, secret }: HostObjects,
  settings: AgentSettings,
  nowMs: number,
): AgentDecision {
  if (account === undefined) return { kind: "create-account" };
  const { rules } = buildRole(settings);
  if (role === undefined) return { kind: "create-role" };
  if (!isDeepEqual(role.rules, rules)) return { kind: "update-role", role: { ...role, ...(rules && { rules }) } };
  if (binding === undefined) return { kind: "create-binding" };
  const { roleRef, subjects } = buildBinding(settings);
  // The role of a binding cannot be changed.
  if (!isDeepEqual(binding.roleRef, roleRef)) return { kind: "delete", what: "binding", object: binding };
  if (!isDeepEqual(binding.subjects, subjects)) {
    return { kind: "update-binding", binding: { ...binding, ...(subjects && { subjects }) } };
  }
  const token = decideToken(readAccessToken(settings, secret), account.metadata.uid ?? "", nowMs);
  const isComplete = token.kind === "keep" && readPrivateKey(secret) !== undefined;
  return isComplete ? { kind: "keep", untilMs: token.untilMs } : { kind: "write-access", secret };
}

function decideEnvironment(existing: Environment | undefined, place: WantedEnvironment): AgentDecision | undefined {
  const wanted = buildEnvironment(place, existing);
  if (existing === undefined) return { kind: "create-environment", environment: wanted };
  const isMarked = existing.metadata.finalizers?.includes(agentFinalizer) === true;
  if (isMarked && isDeepEqual(existing.spec, wanted.spec)) return undefined;
  return { kind: "update-environment", environment: wanted };
}
