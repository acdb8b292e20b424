import { fieldsByPath } from "../resources/selectable-fields.ts";
import { recordAt } from "../objects/json.ts";
import { defineResource } from "../resources/define-resource.ts";
import type { ResourceDefinition, Strategy, Verb } from "../resources/resource-definition.ts";
import type { PrinterColumn } from "../table/printer-column.ts";
import type { CrdFields, CrdVersion } from "./crd-fields.ts";

export interface CustomResourceParts {
  readonly strategy: Strategy;
  readonly columns: readonly PrinterColumn[];
}

/** In the order in which the real server lists them. */
const customVerbs: readonly Verb[] = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];

/** The resource that one served version of a CRD makes. */
export function defineCustomResource(
  crd: CrdFields,
  version: CrdVersion,
  { strategy, columns }: CustomResourceParts,
): ResourceDefinition {
  const { names, group, namespaced } = crd;
  return defineResource({
    ...names,
    group,
    namespaced,
    version: version.name,
    custom: true,
    verbs: customVerbs,
    status: version.hasStatus,
    generation: "all-but-status",
    unconditionalUpdate: false,
    selectableFields: fieldsByPath(...version.selectableFields.map((path) => path.replace(/^\./, ""))),
    strategy,
    columns,
    openApiSchema: recordAt(version.raw, "schema", "openAPIV3Schema"),
  });
}
