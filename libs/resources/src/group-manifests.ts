import { groupOf, type ResourceReference } from "./resource-reference.ts";

/** The order in which objects are applied: what others need comes first (deployers.md §3.3, Namespaces split off). */
export const manifestGroups = ["crds", "namespaces", "clusterScoped", "namespaced"] as const;
export type ManifestGroup = (typeof manifestGroups)[number];

/** Group of an object; `namespaced` is what discovery says of its kind. */
export function groupOfManifest(reference: ResourceReference, namespaced: boolean): ManifestGroup {
  if (isCustomResourceDefinition(reference)) return "crds";
  if (reference.kind === "Namespace" && groupOf(reference.apiVersion) === "") return "namespaces";
  return namespaced ? "namespaced" : "clusterScoped";
}

export function isCustomResourceDefinition(reference: ResourceReference): boolean {
  return reference.kind === "CustomResourceDefinition" && groupOf(reference.apiVersion) === "apiextensions.k8s.io";
}
