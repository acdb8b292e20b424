import type { ResourceDefinition, SubresourceDefinition, Verb } from "./resource-definition.ts";

const allVerbs: readonly Verb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

type Required = Pick<ResourceDefinition, "group" | "version" | "kind" | "plural" | "namespaced">;

/** Completes a definition with what most resources have. */
export function defineResource(
  options: Required & Partial<ResourceDefinition> & { readonly status?: boolean },
): ResourceDefinition {
  const { status = false, subresources = [], ...given } = options;
  return {
    listKind: `${given.kind}List`,
    singular: given.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: allVerbs,
    storage: given.group === "" ? given.plural : `${given.plural}.${given.group}`,
    generation: "none",
    custom: false,
    createsStatus: false,
    returnsDeleted: false,
    createOnUpdate: false,
    unconditionalUpdate: true,
    strategy: {},
    columns: [],
    selectableFields: {},
    ...given,
    subresources: status ? [...subresources, statusSubresource(given.kind)] : subresources,
  };
}

function statusSubresource(kind: string): SubresourceDefinition {
  return { name: "status", kind, verbs: ["get", "patch", "update"] };
}
