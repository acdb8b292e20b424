import type { UnstructuredObject } from "@landscaper/api";
import type { UnstructuredType } from "../cluster/discovery.ts";
import { isCustomResourceDefinition } from "../manifests/group-manifests.ts";
import { fieldAt, isJsonObject } from "../json-value.ts";
import { groupOf, referenceTo, versionOf, type ResourceReference } from "../cluster/resource-reference.ts";

/** What the CRDs among some objects define: their kinds are known before discovery serves them. */
export interface DefinedTypes {
  /** "group/kind" of each. */
  readonly kinds: readonly string[];
  typeOf(reference: Pick<ResourceReference, "apiVersion" | "kind">): UnstructuredType | undefined;
}

export function crdTypes(objects: readonly UnstructuredObject[]): DefinedTypes {
  const defined = new Map<string, { plural: string; namespaced: boolean }>();
  for (const object of objects) {
    if (!isCustomResourceDefinition(referenceTo(object))) continue;
    const group = fieldAt(object, "spec", "group");
    const kind = fieldAt(object, "spec", "names", "kind");
    const plural = fieldAt(object, "spec", "names", "plural");
    if (typeof group !== "string" || typeof kind !== "string" || typeof plural !== "string") continue;
    defined.set(`${group}/${kind}`, { plural, namespaced: fieldAt(object, "spec", "scope") === "Namespaced" });
  }
  return {
    kinds: [...defined.keys()],
    typeOf({ apiVersion, kind }) {
      const group = groupOf(apiVersion);
      const type = defined.get(`${group}/${kind}`);
      return type === undefined ? undefined : { group, version: versionOf(apiVersion), kind, ...type };
    },
  };
}

/** Whether the API server serves the objects of the CRD. */
export function isEstablished(crd: UnstructuredObject | undefined): boolean {
  const conditions = fieldAt(crd, "status", "conditions");
  if (!Array.isArray(conditions)) return false;
  return conditions.some(
    (condition) => isJsonObject(condition) && condition["type"] === "Established" && condition["status"] === "True",
  );
}
