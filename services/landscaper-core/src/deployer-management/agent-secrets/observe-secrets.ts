import {
  agentAccountName,
  agentNames,
  defaultContextName,
  environmentKind,
  findHelmReferences,
  keyOf,
  qualifyType,
  type DeployItem,
  type Environment,
  type Installation,
  type KubeObject,
  type ObjectKey,
  type Role,
  type RoleBinding,
  type Target,
} from "@landscaper/api";
import type { IndexFunctions, Lister } from "@landscaper/controller-runtime";
import { controllerOf, nameOf, namespaceOf } from "../../object-reading.ts";
import { helmType } from "../../rendering/pin-job.ts";
import type { DeployerManagementContext } from "../deployer-management-context.ts";
import { itemsOfTargetKey } from "../stamps/stamp-items.ts";
import { secretOfTarget, secretsOfContext, type SecretSources } from "./list-secrets.ts";

/** What the listers have about the Secrets of one agent. */
export interface ObservedSecrets {
  readonly sources: SecretSources;
  /** Those that the core keeps. */
  readonly role: Role | undefined;
  readonly binding: RoleBinding | undefined;
  /** The Role of `landscaper agent bootstrap` in the namespace of deployer management. */
  readonly bootstrapRole: Role | undefined;
}

const byNamedTarget = "named-target";

function isHelmItem({ spec }: DeployItem): boolean {
  return qualifyType(spec.type) === helmType;
}

/** Helm items of the namespace by the Targets that their configuration names. */
export function namedTargetIndexIn(namespace: string): IndexFunctions<DeployItem> {
  return {
    [byNamedTarget]: (item) =>
      namespaceOf(item) === namespace && isHelmItem(item) ? findHelmReferences(item.spec.config).targets : [],
  };
}

/** The Target is made of `spec.hostTarget`. Another one of this name gives the agent no right. */
function isHostTarget(target: Target | undefined, environment: string): boolean {
  return target !== undefined && controllerOf(target, environmentKind.type.kind)?.name === environment;
}

type Listers = Pick<DeployerManagementContext, "deployItems" | "targets" | "contexts" | "roles" | "roleBindings">;

/** Reads listers alone. */
export function observeSecrets(
  { settings: { namespace }, ...listers }: Listers & Pick<DeployerManagementContext, "settings">,
  environment: string,
  installations: readonly Installation[],
): ObservedSecrets {
  const { deployItems, targets, contexts, roles, roleBindings } = listers;
  const at = (name: string): ObjectKey => ({ namespace, name });
  const host = at(environment);
  const items = isHostTarget(targets.get(host), environment)
    ? itemsOfTargetKey(deployItems, host).filter(isHelmItem)
    : [];
  const inContext = [...items, ...installations].map(({ spec }) => spec.context ?? defaultContextName);
  const named = items.flatMap(({ spec }) => findHelmReferences(spec.config).targets);
  const { secretsRole } = agentNames(environment);
  return {
    sources: {
      items,
      contexts: [...new Set(inContext)].flatMap((name) => contexts.get(at(name)) ?? []),
      targets: [...new Set(named)].flatMap((name) => targets.get(at(name)) ?? []),
    },
    role: roles.get(at(secretsRole)),
    binding: roleBindings.get(at(secretsRole)),
    bootstrapRole: roles.get(at(agentAccountName(environment))),
  };
}

/** Keys of the Environments whose agents work on an item. */
export function environmentOfTargetName(environments: Pick<Lister<Environment>, "get">) {
  return (item: DeployItem): readonly ObjectKey[] => {
    const environment = environments.get({ name: item.spec.target?.name ?? "" });
    return environment === undefined ? [] : [keyOf(environment)];
  };
}

/** Keys of the Environments with items that name a Target beside the Target of their host. */
export function environmentsNaming(context: Pick<DeployerManagementContext, "deployItems" | "environments">) {
  const ofItem = environmentOfTargetName(context.environments);
  return (target: KubeObject): readonly ObjectKey[] =>
    context.deployItems.byIndex(byNamedTarget, nameOf(target)).flatMap(ofItem);
}

/** What of a Target matters to the list. The informer of this kind yields Targets. */
export function targetSecretState(target: Target): string {
  return JSON.stringify([target.metadata.uid, secretOfTarget(target)]);
}

/** What of a Context matters to the list. */
export const contextSecretState = (context: Parameters<typeof secretsOfContext>[0]): string =>
  JSON.stringify([context.metadata.uid, secretsOfContext(context)]);
