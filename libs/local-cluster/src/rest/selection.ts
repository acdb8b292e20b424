import type { UnstructuredObject } from "@landscaper/api";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import type { FieldRequirement } from "../selectors/field-selector.ts";
import { checkFieldSelector, matchesFields, parseFieldSelector } from "../selectors/field-selector.ts";
import type { LabelRequirement } from "../selectors/label-selector.ts";
import { matchesLabels, parseLabelSelector } from "../selectors/label-selector.ts";

/** Labels and fields that a list, watch or collection delete is about. */
export interface Selection {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
}

/** Throws 400 for a selector that cannot be read or a field that the resource does not offer. */
export function parseSelection(definition: ResourceDefinition, query: URLSearchParams): Selection {
  const labels = parseLabelSelector(query.get("labelSelector") ?? "");
  const fields = parseFieldSelector(query.get("fieldSelector") ?? "");
  checkFieldSelector(definition, fields);
  return { labels, fields };
}

/** `object` is in the version of `definition`. */
export function isSelected(
  definition: ResourceDefinition,
  { labels, fields }: Selection,
  object: UnstructuredObject,
): boolean {
  if (labels.length > 0 && !matchesLabels(labels, object.metadata.labels)) return false;
  return fields.length === 0 || matchesFields(definition, fields, object);
}
