import { isDeepEqual } from "@landscaper/patch";
import { isRecord } from "../../objects/json.ts";
import type { FieldError } from "../../status/field-error.ts";
import { childOf, elementOf, printPath } from "../field-path.ts";
import { duplicateValue, invalidValue } from "../schema-errors.ts";
import type { SchemaNode } from "../schema-node.ts";

/**
 * Duplicates in lists of x-kubernetes-list-type `set` and `map`. Models apiextensions pkg/apiserver/schema/listtype: the second occurrence
 * of an item is told, later ones are not.
 */
export function validateListTypes(value: unknown, schema: SchemaNode | undefined, path = ""): FieldError[] {
  if (schema === undefined) {
    return [];
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const own = validateList(items, schema, path);
    return [...own, ...items.flatMap((item, index) => validateListTypes(item, schema.items, elementOf(path, index)))];
  }
  if (!isRecord(value)) {
    return [];
  }
  const additional = schema.additionalProperties === "any" ? undefined : schema.additionalProperties;
  return Object.entries(value).flatMap(([field, content]) => {
    const property = schema.properties.get(field);
    return property === undefined
      ? validateListTypes(content, additional, elementOf(path, field))
      : validateListTypes(content, property, childOf(path, field));
  });
}

function validateList(items: readonly unknown[], schema: SchemaNode, path: string): FieldError[] {
  switch (schema.listType) {
    case "set":
      return secondOccurrences(items).map((index) => duplicateValue(printPath(elementOf(path, index)), items[index]));
    case "map":
      return validateMapList(items, schema.listMapKeys, path);
    default:
      return [];
  }
}

function validateMapList(items: readonly unknown[], keyFields: readonly string[], path: string): FieldError[] {
  const strange = items.findIndex((item) => item !== null && !isRecord(item));
  if (strange >= 0) {
    const detail = "must be an object for an array of list-type map";
    return [invalidValue(elementOf(path, strange), items[strange], detail)];
  }
  const keys = items.map((item) => keyOf(item, keyFields));
  return secondOccurrences(keys).map((index) => duplicateValue(elementOf(path, index), keys[index]));
}

function keyOf(item: unknown, keyFields: readonly string[]): Readonly<Record<string, unknown>> {
  const present = keyFields.filter((field) => isRecord(item) && Object.hasOwn(item, field));
  return Object.fromEntries(present.map((field) => [field, isRecord(item) ? item[field] : undefined]));
}

function secondOccurrences(values: readonly unknown[]): number[] {
  return [...values.keys()].filter((index) => {
    const earlier = values.slice(0, index).filter((other) => isDeepEqual(other, values[index]));
    return earlier.length === 1;
  });
}
