import { isRecord } from "../parameter/describe-value.ts";

/** Keywords whose values are schemas by names. */
const namedKeywords = new Set([
  "properties",
  "patternProperties",
  "definitions",
  "$defs",
  "dependencies",
  "dependentSchemas",
]);

/** Keywords whose values are not schemas. */
const valueKeywords = new Set(["enum", "const", "default", "examples", "required", "dependentRequired", "$vocabulary"]);

/**
 * Copies a schema. `convert` may change the copy of each schema that is an object, from the innermost outwards; `original` is the schema
 * that was copied.
 */
export function mapSubschemas(
  schema: unknown,
  convert: (copy: Record<string, unknown>, original: Readonly<Record<string, unknown>>) => void,
): unknown {
  const map = (value: unknown, isNames: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => map(item, false));
    if (!isRecord(value)) return value;
    const copy: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const isValue = !isNames && valueKeywords.has(key);
      copy[key] = isValue ? item : map(item, !isNames && namedKeywords.has(key));
    }
    if (!isNames) convert(copy, value);
    return copy;
  };
  return map(schema, false);
}
