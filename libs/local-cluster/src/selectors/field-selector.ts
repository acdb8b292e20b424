import type { UnstructuredObject } from "@landscaper/api";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { badRequest } from "../status/status-error.ts";

export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Parses a field selector ("metadata.name=a,status.phase!=Running"). Throws a 400 StatusError. */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return splitTerms(text).map((term) => {
    const match = /^((?:[^=!\\]|\\.)*)(!=|==|=)((?:[^\\]|\\.)*)$/.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = "", operator, value = ""] = match;
    return { field, equal: operator !== "!=", value: value.replaceAll(/\\([\\,=])/g, "$1") };
  });
}

/** Refuses fields that the resource does not offer. Throws a 400 StatusError. */
export function checkFieldSelector(definition: ResourceDefinition, requirements: readonly FieldRequirement[]): void {
  for (const { field } of requirements) {
    if (field === "metadata.name" || field === "metadata.namespace" || field in definition.selectableFields) continue;
    throw badRequest(unknownFieldText(definition, field));
  }
}

function unknownFieldText(definition: ResourceDefinition, field: string): string {
  if (definition.custom) return `field label not supported: ${field}`;
  if (Object.keys(definition.selectableFields).length > 0) return `field label not supported: ${field}`;
  return `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

export function matchesFields(
  definition: ResourceDefinition,
  requirements: readonly FieldRequirement[],
  object: UnstructuredObject,
): boolean {
  return requirements.every(({ field, equal, value }) => (fieldOf(definition, object, field) === value) === equal);
}

function fieldOf(definition: ResourceDefinition, object: UnstructuredObject, field: string): string {
  if (field === "metadata.name") return object.metadata.name ?? "";
  if (field === "metadata.namespace") return object.metadata.namespace ?? "";
  return definition.selectableFields[field]?.(object) ?? "";
}

/** Splits at commas that no backslash escapes. */
function splitTerms(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((term) => term.trim())
    .filter((term) => term !== "");
}
