import { isRecord } from "../parameter/describe-value.ts";
import { mapSubschemas } from "./map-subschemas.ts";
import type { JsonSchema } from "./resolve-schema-refs.ts";

/** Keyword that makes the validator count each evaluation of a schema; its value says what one costs. */
export const costKeyword = "x-landscaper-cost";

export interface WeighedSchema {
  /** With a cost in every schema that is an object. */
  readonly schema: JsonSchema;
  readonly subschemas: number;
}

export function weighSchema(schema: JsonSchema): WeighedSchema {
  let subschemas = 0;
  const weighed = mapSubschemas(schema, (copy, original) => {
    subschemas++;
    if (!isCheap(original)) copy[costKeyword] = costOf(original);
  });
  return { schema: isRecord(weighed) ? weighed : schema, subschemas };
}

const cheapKeywords = new Set(
  [
    "type title description default examples deprecated readOnly writeOnly nullable $comment",
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems minProperties maxProperties",
  ].flatMap((words) => words.split(" ")),
);

/** Whether a look at a value costs no more than what the schema around it counts for it. */
function isCheap(schema: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(schema).every((key) => cheapKeywords.has(key));
}

/** Keywords of a schema, and the names and values in them: each is looked at for a value, or for each entry of one. */
function costOf(schema: Readonly<Record<string, unknown>>): number {
  let cost = 1;
  for (const [key, item] of Object.entries(schema)) {
    cost += 1;
    if (key === "enum" || key === "const") cost += entriesIn(item);
    else if (Array.isArray(item)) cost += item.length;
    else if (isRecord(item)) cost += Object.keys(item).length;
  }
  return cost;
}

function entriesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + 1 + entriesIn(item), 0);
  if (!isRecord(value)) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + 1 + entriesIn(item), 0);
}
