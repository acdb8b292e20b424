import {
  qualifyType,
  allEnvironments,
  annotations,
  environmentKind,
  environmentNamespaces,
  type DeployItem,
  type DeployerRegistration,
  type Environment,
  type Target,
  type TargetSelector,
} from "@landscaper/api";
import { matchesMissingTarget, matchesTargetSelectors } from "@landscaper/deployer";
import { controllerOf, nameOf, namespaceOf, uidOf } from "../../object-reading.ts";

/** What decides about the Environments of a DeployItem. */
export interface Claimed {
  readonly item: DeployItem;
  /** Undefined where there is none, or it does not exist. */
  readonly target: Target | undefined;
}

/** Selectors of a registration's own, which win over those of Environments; "unknown" where a job has to compute them. */
function ownSelectors({ spec }: DeployerRegistration): readonly TargetSelector[] | "unknown" | undefined {
  const mapping = spec.installationTemplate.importDataMappings?.["targetSelectors"];
  if (mapping === undefined) return undefined;
  // The schema of the mapping is the user's matter: a list without expressions is what a job would make of it.
  if (!Array.isArray(mapping) || JSON.stringify(mapping).includes("((")) return "unknown";
  return mapping as readonly TargetSelector[];
}

function selects(selectors: readonly TargetSelector[], { item, target }: Claimed): boolean {
  if (target !== undefined) return matchesTargetSelectors(selectors, target);
  const { target: named } = item.spec;
  return named === undefined || matchesMissingTarget(selectors, { namespace: namespaceOf(item), name: named.name });
}

/** Whether deployers of every Environment work on such items by selectors of their registration. */
function isOfAllEnvironments(claimed: Claimed, registrations: readonly DeployerRegistration[]): boolean {
  const { spec } = claimed.item;
  if (spec.target === undefined) return true;
  return registrations.some((registration) => {
    if (!registration.spec.types.map(qualifyType).includes(qualifyType(spec.type))) return false;
    const selectors = ownSelectors(registration);
    return selectors === "unknown" || (selectors !== undefined && selects(selectors, claimed));
  });
}

/** The Environment that the Target's annotation names, which nobody else may claim. */
function annotatedEnvironment({ target }: Claimed): string | undefined {
  const name = target?.metadata.annotations?.[annotations.environment];
  return name === undefined || name === "" ? undefined : name;
}

/**
 * Whether deployers of the Environment have rights in the namespace of the item. Items for the Target of its own host are the work of its
 * agent, in the namespace of deployer management (docs/reference/deployer-management.md#namespaces).
 */
export function servesNamespace(environment: Environment, { item, target }: Claimed): boolean {
  const namespaces = environmentNamespaces(environment.spec);
  if (namespaces === undefined || namespaces.includes(namespaceOf(item))) return true;
  const owner = target === undefined ? undefined : controllerOf(target, environmentKind.type.kind);
  return owner !== undefined && owner.uid === uidOf(environment);
}

/** Tells which Environments claim an item: by the annotation of its Target or, where that has none, by selectors; and by the namespaces that they name. */
function claimTest(
  claimed: Claimed,
  registrations: readonly DeployerRegistration[],
): (environment: Environment) => boolean {
  const annotated = annotatedEnvironment(claimed);
  const isForAll = annotated === undefined && isOfAllEnvironments(claimed, registrations);
  return (environment) => {
    if (!servesNamespace(environment, claimed)) return false;
    if (annotated !== undefined) return annotated === nameOf(environment);
    return isForAll || selects(environment.spec.targetSelectors, claimed);
  };
}

/** Whether one Environment claims the item. */
export function isClaimedBy(
  environment: Environment,
  claimed: Claimed,
  registrations: readonly DeployerRegistration[],
): boolean {
  return claimTest(claimed, registrations)(environment);
}

/** Environments as their informer has them. */
export interface KnownEnvironments {
  readonly get: (key: { readonly name: string }) => Environment | undefined;
  readonly list: () => readonly Environment[];
}

/** The Environment that the annotation of the item's Target names, if it exists. */
function findAnnotated(claimed: Claimed, environments: Pick<KnownEnvironments, "get">): Environment | undefined {
  const name = annotatedEnvironment(claimed);
  return name === undefined ? undefined : environments.get({ name });
}

/** Environments whose deployers may work on the item: the one rule for who may write it, and for whom its job waits. */
export function claimingEnvironments(
  claimed: Claimed,
  environments: KnownEnvironments,
  registrations: readonly DeployerRegistration[],
): readonly Environment[] {
  const isAnnotated = annotatedEnvironment(claimed) !== undefined;
  const candidates = isAnnotated ? [findAnnotated(claimed, environments) ?? []].flat() : environments.list();
  return candidates.filter(claimTest(claimed, registrations));
}

/** The Environment that the Target of the item belongs to by its annotation, and that does not serve the namespace. */
export function findUnserving(claimed: Claimed, environments: Pick<KnownEnvironments, "get">): Environment | undefined {
  const environment = findAnnotated(claimed, environments);
  return environment === undefined || servesNamespace(environment, claimed) ? undefined : environment;
}

/** What the annotation of the item has to be; undefined: no Environment claims it (docs/reference/deployer-management.md#bounds). Pure. */
export function environmentsOf(
  claimed: Claimed,
  environments: KnownEnvironments,
  registrations: readonly DeployerRegistration[],
): string | undefined {
  if (claimed.item.spec.target === undefined) {
    return environments.list().some((one) => servesNamespace(one, claimed)) ? allEnvironments : undefined;
  }
  const names = claimingEnvironments(claimed, environments, registrations).map(nameOf);
  return names.length === 0 ? undefined : names.toSorted().join(",");
}
