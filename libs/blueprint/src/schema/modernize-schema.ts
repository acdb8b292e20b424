import { isRecord } from "../describe-value.ts";
import type { JsonSchema } from "./resolve-schema-refs.ts";

/**
 * Writes what only draft-04 knows in the words of later drafts: `exclusiveMinimum: true` beside `minimum`, `id`. The
 * original reads all drafts as one, so this also applies to schemas that declare another draft.
 */
export function modernizeSchema(schema: JsonSchema): JsonSchema {
  const modern = modernize(schema, false);
  if (!isRecord(modern)) return schema;
  // The draft has been chosen; its address is often written in a form that ajv does not know.
  const { $schema: _, ...rest } = modern;
  return rest;
}

/** `isNames`: the keys are property names, not keywords. */
function modernize(value: unknown, isNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => modernize(item, false));
  if (!isRecord(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (!isNames && (key === "enum" || key === "const" || key === "default" || key === "examples")) result[key] = item;
    else result[key] = modernize(item, !isNames && namedKeywords.has(key));
  }
  if (!isNames) {
    moveBound(result, "exclusiveMinimum", "minimum");
    moveBound(result, "exclusiveMaximum", "maximum");
    if (typeof result["id"] === "string") delete result["id"];
  }
  return result;
}

const namedKeywords = new Set([
  "properties",
  "patternProperties",
  "definitions",
  "$defs",
  "dependencies",
  "dependentSchemas",
]);

function moveBound(schema: Record<string, unknown>, exclusive: string, inclusive: string): void {
  const flag = schema[exclusive];
  if (typeof flag !== "boolean") return;
  delete schema[exclusive];
  if (!flag || schema[inclusive] === undefined) return;
  schema[exclusive] = schema[inclusive];
  delete schema[inclusive];
}
