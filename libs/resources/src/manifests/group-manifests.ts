import { groupOf, type ResourceReference } from "../cluster/resource-reference.ts";

/**
 * The order in which objects are applied: what others need comes first (deployers.md §3.3). Namespaces are split off, and
 * ServiceAccounts too: the token controller deletes a token Secret whose account it does not find.
 */
export const manifestGroups = ["crds", "namespaces", "clusterScoped", "serviceAccounts", "namespaced"] as const;
export type ManifestGroup = (typeof manifestGroups)[number];

/** Group of an object; `namespaced` is what discovery says of its kind. */
export function groupOfManifest(reference: ResourceReference, namespaced: boolean): ManifestGroup {
  if (isCustomResourceDefinition(reference)) return "crds";
  const isCore = groupOf(reference.apiVersion) === "";
  if (isCore && reference.kind === "Namespace") return "namespaces";
  if (isCore && reference.kind === "ServiceAccount") return "serviceAccounts";
  return namespaced ? "namespaced" : "clusterScoped";
}

export function isCustomResourceDefinition(reference: ResourceReference): boolean {
  return reference.kind === "CustomResourceDefinition" && groupOf(reference.apiVersion) === "apiextensions.k8s.io";
}
