import type { DeletionGroup } from "@landscaper/api";
import { isCustomResourceDefinition } from "../manifests/group-manifests.ts";
import type { ManagedResource } from "../manifests/manifest.ts";
import type { ResourceReference } from "../cluster/resource-reference.ts";

/** Selects objects of a custom group: exact apiVersion and kind, optionally names and namespaces. */
export type ResourceSelection = NonNullable<DeletionGroup["customResourceGroup"]>["resources"][number];

const defaultDeletionGroups: readonly DeletionGroup[] = [
  { predefinedResourceGroup: { type: "namespaced-resources" } },
  { predefinedResourceGroup: { type: "cluster-scoped-resources" } },
  { predefinedResourceGroup: { type: "crds" } },
];

/** A step with the inventory entries that fell to it. */
export interface DeletionStep {
  readonly group: DeletionGroup;
  readonly entries: readonly ManagedResource[];
  readonly forceDelete: boolean;
}

export interface DeletionPlan {
  readonly steps: readonly DeletionStep[];
  /** Entries that match no group: they stay in the target ("skip CRDs" is said like this). */
  readonly abandoned: readonly ManagedResource[];
}

/** Every entry goes to the first group that matches it (deployers.md §3.5). No or an empty list of groups means the default. */
export function planDeletion(
  entries: readonly ManagedResource[],
  groups: readonly DeletionGroup[] | undefined,
): DeletionPlan {
  const definitions = groups === undefined || groups.length === 0 ? defaultDeletionGroups : groups;
  const byGroup = new Map<DeletionGroup | undefined, ManagedResource[]>();
  for (const entry of entries) {
    const group = definitions.find((definition) => matchesGroup(definition, entry.resource));
    byGroup.set(group, [...(byGroup.get(group) ?? []), entry]);
  }
  const steps = definitions.map((group) => ({
    group,
    entries: byGroup.get(group) ?? [],
    forceDelete: isForced(group),
  }));
  return { steps, abandoned: byGroup.get(undefined) ?? [] };
}

function isForced(group: DeletionGroup): boolean {
  return (group.predefinedResourceGroup?.forceDelete ?? group.customResourceGroup?.forceDelete) === true;
}

function matchesGroup(group: DeletionGroup, resource: ResourceReference): boolean {
  const custom = group.customResourceGroup;
  if (custom !== undefined) {
    return custom.targetName === undefined && custom.resources.some((selection) => isSelected(selection, resource));
  }
  const isCrd = isCustomResourceDefinition(resource);
  const isNamespaced = resource.namespace !== undefined && resource.namespace !== "";
  switch (group.predefinedResourceGroup?.type) {
    case "namespaced-resources":
      return isNamespaced && !isCrd;
    case "cluster-scoped-resources":
      return !isNamespaced && !isCrd;
    case "crds":
      return isCrd;
    case "empty":
    case undefined:
      return false;
  }
}

/** Whether a selection of a custom group covers the object. */
export function isSelected(selection: ResourceSelection, resource: ResourceReference): boolean {
  const { names = [], namespaces = [] } = selection;
  return (
    selection.apiVersion === resource.apiVersion &&
    selection.kind === resource.kind &&
    (names.length === 0 || names.includes(resource.name)) &&
    (namespaces.length === 0 || namespaces.includes(resource.namespace ?? ""))
  );
}
