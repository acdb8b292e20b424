import {
  environmentKind,
  environmentNamespaces,
  keyOf,
  labels,
  type Environment,
  type Installation,
  type KubeObject,
  type ObjectKey,
  type RoleBinding,
} from "@landscaper/api";
import type { IndexFunctions, Lister } from "@landscaper/controller-runtime";
import { controllerOf, labelOf, nameOf, namespaceOf } from "../object-reading.ts";
import { isDeployerBinding } from "./rights/build-accounts.ts";
import { pairOf } from "./pair.ts";

export const byEnvironment = "deployer-environment";
export const byRegistration = "deployer-registration";
const byNamespace = "named-namespace";

/** Selects what deployer management has made for pairs of a registration and an Environment. */
export const managedSelector = labels.deployerEnvironment;

/** Installations of deployers by the names in their labels. */
export function installationIndexesIn(namespace: string): IndexFunctions<Installation> {
  const value = (label: string) => (installation: Installation) => {
    const name = labelOf(installation, label);
    const isManaged = namespaceOf(installation) === namespace && pairOf(installation) !== undefined;
    return isManaged && name !== undefined ? [name] : [];
  };
  return { [byEnvironment]: value(labels.deployerEnvironment), [byRegistration]: value(labels.deployerRegistration) };
}

export const bindingIndexes: IndexFunctions<RoleBinding> = {
  [byEnvironment]: (binding) => {
    const pair = isDeployerBinding(binding) ? pairOf(binding) : undefined;
    return pair === undefined ? [] : [pair.environment];
  },
};

/** Environments by the namespaces that they name. */
export const environmentIndexes: IndexFunctions<Environment> = {
  [byNamespace]: ({ spec }) => environmentNamespaces(spec) ?? [],
};

/** Keys of the Environments that name a namespace. */
export function environmentsOfNamespace(environments: Pick<Lister<KubeObject>, "byIndex">) {
  return (namespace: KubeObject): readonly ObjectKey[] =>
    environments.byIndex(byNamespace, nameOf(namespace)).map(keyOf);
}

/** Key of the Environment that an object with labels was made for. */
export function labelledEnvironment(object: KubeObject): readonly ObjectKey[] {
  const name = labelOf(object, labels.deployerEnvironment);
  return name === undefined ? [] : [{ name }];
}

/**
 * Keys of the Environments that may want the name of an object, whoever has made it: when it is gone, they can have it. The Environment of
 * its labels, and the one that owns it, are among them also when they are gone.
 */
export function environmentsOfName(environments: Pick<Lister<KubeObject>, "get">) {
  return (object: KubeObject): readonly ObjectKey[] => {
    const parts = nameOf(object).split("-");
    const endings = parts.map((_, index) => parts.slice(index).join("-"));
    const known = endings.filter((name) => environments.get({ name }) !== undefined);
    const own = [labelOf(object, labels.deployerEnvironment), controllerOf(object, environmentKind.type.kind)?.name];
    const names = new Set([...known, ...own.filter((name) => name !== undefined)]);
    return [...names].map((name) => ({ name }));
  };
}
