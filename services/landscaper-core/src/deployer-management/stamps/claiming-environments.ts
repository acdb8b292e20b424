import {
  qualifyType,
  allEnvironments,
  annotations,
  type DeployItem,
  type DeployerRegistration,
  type Environment,
  type Target,
  type TargetSelector,
} from "@landscaper/api";
import { matchesMissingTarget, matchesTargetSelectors } from "@landscaper/deployer";
import { nameOf, namespaceOf } from "../../object-reading.ts";

/** What decides about the Environments of a DeployItem. */
export interface Claimed {
  readonly item: DeployItem;
  /** Undefined where there is none, or it does not exist. */
  readonly target: Target | undefined;
}

/** With more Environments than these, the annotation says that all may. */
export const maxNamedEnvironments = 16;

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

/** Whether an Environment claims the item: by the annotation of its Target or, where that has none, by its selectors. */
export function isClaimedBy(environment: Environment, claimed: Claimed): boolean {
  const annotated = annotatedEnvironment(claimed);
  if (annotated !== undefined) return annotated === nameOf(environment);
  return selects(environment.spec.targetSelectors, claimed);
}

/** Environments as their informer has them. */
export interface KnownEnvironments {
  readonly get: (key: { readonly name: string }) => Environment | undefined;
  readonly list: () => readonly Environment[];
}

/** Environments whose deployers may work on the item: the one rule for who may write it, and for whom its job waits. */
export function claimingEnvironments(
  claimed: Claimed,
  environments: KnownEnvironments,
  registrations: readonly DeployerRegistration[],
): readonly Environment[] {
  const annotated = annotatedEnvironment(claimed);
  if (annotated !== undefined) {
    const environment = environments.get({ name: annotated });
    return environment === undefined ? [] : [environment];
  }
  const all = environments.list();
  if (isOfAllEnvironments(claimed, registrations)) return all;
  return all.filter((environment) => isClaimedBy(environment, claimed));
}

/** What the annotation of the item has to be; undefined: no Environment claims it (docs/reference/deployer-management.md#bounds). Pure. */
export function environmentsOf(
  claimed: Claimed,
  environments: KnownEnvironments,
  registrations: readonly DeployerRegistration[],
): string | undefined {
  const names = claimingEnvironments(claimed, environments, registrations).map(nameOf);
  if (names.length === 0) return undefined;
  const isForAll = annotatedEnvironment(claimed) === undefined && isOfAllEnvironments(claimed, registrations);
  return isForAll || names.length > maxNamedEnvironments ? allEnvironments : names.toSorted().join(",");
}
