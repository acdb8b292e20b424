import {
  allEnvironments,
  annotations,
  deployerRoleName,
  environmentNamespaces,
  formatKey,
  keyOf,
  type DeployerRegistration,
  type DeployItem,
  type Environment,
  type Installation,
  type KubeObject,
  type ObjectKey,
  type RoleBinding,
} from "@landscaper/api";
import type { IndexFunctions, Lister } from "@landscaper/controller-runtime";
import { byEnvironment } from "../deployer-management/deployer-indexes.ts";
import { accountName, pairName, pairOf, type PairNames } from "../deployer-management/pair.ts";
import { annotationOf, isDeleting, nameOf, namespaceOf } from "../object-reading.ts";
import { mustBeUninstalled, type Users } from "./used-objects.ts";

const byMark = "namespace-and-environment";
const byNamespace = "binding-namespace";
const byRegistration = "binding-registration";

function marksOf(item: DeployItem): readonly string[] {
  if (!mustBeUninstalled(item)) return [];
  return annotationOf(item, annotations.environments)?.split(",") ?? [];
}

function markKey(namespace: string, environment: string): string {
  return formatKey({ namespace, name: environment });
}

/** Index of DeployItems that must be uninstalled: by their namespace and each Environment of their mark. */
export const markedItemIndexes: IndexFunctions<DeployItem> = {
  [byMark]: (item) => marksOf(item).map((environment) => markKey(namespaceOf(item), environment)),
};

/** Indexes of RoleBindings of deployers by namespace, and by registration. */
export const bindingNamespaceIndexes: IndexFunctions<RoleBinding> = {
  [byNamespace]: (binding) => (namespacePairOf(binding) === undefined ? [] : [namespaceOf(binding)]),
  [byRegistration]: (binding) => [namespacePairOf(binding)?.registration ?? []].flat(),
};

/** Returns the fields of an item that decide which RoleBindings it uses, serialized for comparison. */
export function rightsOfItem(item: DeployItem): string {
  return JSON.stringify(marksOf(item));
}

/** The pair of a RoleBinding that gives a deployer its rights in a namespace. Undefined for other RoleBindings, such as those for Leases. */
function namespacePairOf(binding: RoleBinding): PairNames | undefined {
  const names = pairOf(binding);
  const { kind, name } = binding.roleRef;
  const isOfNamespace = kind === "ClusterRole" && name === deployerRoleName && binding.metadata.namespace !== undefined;
  return names !== undefined && isOfNamespace && nameOf(binding) === accountName(names) ? names : undefined;
}

export interface BindingListers {
  /** With `markedItemIndexes`. */
  readonly deployItems: Pick<Lister<DeployItem>, "byIndex" | "countByIndex">;
  /** With `bindingNamespaceIndexes` and `bindingIndexes` of deployer management. */
  readonly roleBindings: Pick<Lister<RoleBinding>, "byIndex" | "get">;
  readonly environments: Pick<Lister<Environment>, "get">;
  readonly installations: Pick<Lister<Installation>, "get">;
  readonly registrations: Pick<Lister<DeployerRegistration>, "get">;
  /** Of deployer management. */
  readonly namespace: string;
}

/** Who uses the RoleBindings of deployers, and which keys an event concerns. Reads only listers. */
export interface BindingUsers extends Users {
  readonly keysOfItem: (item: KubeObject) => readonly ObjectKey[];
  readonly keysOfPair: (installation: KubeObject) => readonly ObjectKey[];
  readonly keysOfEnvironment: (environment: KubeObject) => readonly ObjectKey[];
  readonly keysOfRegistration: (registration: KubeObject) => readonly ObjectKey[];
}

/**
 * A DeployItem uses the RoleBindings of the deployers that may have to uninstall it: those of the Environments in its mark, while they name the namespace, and
 * while the deployer is installed or is to be installed (docs/reference/protection.md).
 */
export function createBindingUsers(listers: BindingListers): BindingUsers {
  const { deployItems, roleBindings, environments, installations, registrations, namespace: management } = listers;
  /** Whether the deployer exists, or will be installed again. */
  const isInstalled = (names: PairNames, environment: Environment): boolean => {
    if (installations.get({ namespace: management, name: pairName(names) }) !== undefined) return true;
    const registration = registrations.get({ name: names.registration });
    return registration !== undefined && !isDeleting(registration) && !isDeleting(environment);
  };
  /** Keys in the index of marked items; none if nothing may use the binding. */
  const usedMarkKeys = (key: ObjectKey): readonly string[] => {
    const { namespace } = key;
    const binding = roleBindings.get(key);
    const names = binding === undefined ? undefined : namespacePairOf(binding);
    if (names === undefined || namespace === undefined) return [];
    const environment = environments.get({ name: names.environment });
    const isNamed = environment !== undefined && environmentNamespaces(environment.spec)?.includes(namespace) === true;
    return isNamed && isInstalled(names, environment)
      ? [names.environment, allEnvironments].map((mark) => markKey(namespace, mark))
      : [];
  };
  const bindingsOf = (environment: string): readonly RoleBinding[] =>
    roleBindings.byIndex(byEnvironment, environment).filter((binding) => namespacePairOf(binding) !== undefined);
  return {
    isUsed: (key) => usedMarkKeys(key).some((mark) => deployItems.countByIndex(byMark, mark) > 0),
    list: (key) => [...new Set(usedMarkKeys(key).flatMap((mark) => deployItems.byIndex(byMark, mark)))],
    keysOfItem: (item) => roleBindings.byIndex(byNamespace, namespaceOf(item)).map(keyOf),
    keysOfPair: (installation) => {
      const pair = pairOf(installation);
      if (pair === undefined || namespaceOf(installation) !== management) return [];
      return bindingsOf(pair.environment)
        .filter((binding) => namespacePairOf(binding)?.registration === pair.registration)
        .map(keyOf);
    },
    keysOfEnvironment: (environment) => bindingsOf(nameOf(environment)).map(keyOf),
    keysOfRegistration: (registration) => roleBindings.byIndex(byRegistration, nameOf(registration)).map(keyOf),
  };
}
