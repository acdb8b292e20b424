import { isRecord } from "../parameter/describe-value.ts";
import { mapSubschemas } from "./map-subschemas.ts";
import type { JsonSchema } from "./resolve-schema-refs.ts";

/**
 * Writes what only draft-04 knows in the words of later drafts: `exclusiveMinimum: true` beside `minimum`, `id`. The
 * original reads all drafts as one, so this also applies to schemas that declare another draft.
 */
export function modernizeSchema(schema: JsonSchema): JsonSchema {
  const modern = mapSubschemas(schema, (copy) => {
    moveBound(copy, "exclusiveMinimum", "minimum");
    moveBound(copy, "exclusiveMaximum", "maximum");
    if (typeof copy["id"] === "string") delete copy["id"];
  });
  if (!isRecord(modern)) return schema;
  // The draft has been chosen; its address is often written in a form that ajv does not know.
  const { $schema: _, ...rest } = modern;
  return rest;
}

function moveBound(schema: Record<string, unknown>, exclusive: string, inclusive: string): void {
  const flag = schema[exclusive];
  if (typeof flag !== "boolean") return;
  delete schema[exclusive];
  if (!flag || schema[inclusive] === undefined) return;
  schema[exclusive] = schema[inclusive];
  delete schema[inclusive];
}
