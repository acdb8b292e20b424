import { hasField, isJsonObject, setField } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

/** Whether a value is an object with `$patch`: an instruction, never content. */
export function isDirective(value: unknown): boolean {
  return isJsonObject(value) && hasField(value, "$patch");
}

/** Content of a patch that goes into the document as it is: without the instructions inside. */
export function removeDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !isDirective(item)).map(removeDirectives);
  }
  return isJsonObject(value)
    ? mapFields(value, (field) => (isDirective(field) ? undefined : removeDirectives(field)))
    : value;
}

/** Content of a patch without null fields: they mean absence. Null items of lists stay. */
export function discardNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(discardNulls);
  }
  return isJsonObject(value) ? mapFields(value, (field) => (field === null ? undefined : discardNulls(field))) : value;
}

function mapFields(object: JsonObject, change: (field: unknown) => unknown): JsonObject {
  const result: JsonObject = {};
  for (const [key, field] of Object.entries(object)) {
    const changed = change(field);
    if (changed !== undefined) {
      setField(result, key, changed);
    }
  }
  return result;
}
