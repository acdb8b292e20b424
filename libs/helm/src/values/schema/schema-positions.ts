import { type GoMap, type Value, isMap, isSlice } from "@landscaper/golang";
import { below } from "./schema-failure.ts";

/** Which draft of JSON schema a document is written in. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

/** A schema below another one. */
export interface SchemaPart {
  readonly keyword: string;
  /** JSON pointer from the schema around it. */
  readonly pointer: string;
  readonly schema: Value;
}

/** Keywords whose value is a schema or a list of schemas, with the first draft that knows them. Later drafts keep them. */
const directKeywords: ReadonlyMap<string, Draft> = new Map<string, Draft>([
  ["additionalItems", 4],
  ["additionalProperties", 4],
  ["allOf", 4],
  ["anyOf", 4],
  ["items", 4],
  ["not", 4],
  ["oneOf", 4],
  ["contains", 6],
  ["propertyNames", 6],
  ["else", 7],
  ["if", 7],
  ["then", 7],
  ["contentSchema", 2019],
  ["unevaluatedItems", 2019],
  ["unevaluatedProperties", 2019],
  ["prefixItems", 2020],
]);

/** Keywords whose value maps names to schemas, with the first draft that knows them. */
const namingKeywords: ReadonlyMap<string, Draft> = new Map<string, Draft>([
  ["definitions", 4],
  ["dependencies", 4],
  ["patternProperties", 4],
  ["properties", 4],
  ["$defs", 2019],
  ["dependentSchemas", 2019],
]);

const referenceKeywords: ReadonlyMap<string, Draft> = new Map<string, Draft>([
  ["$ref", 4],
  ["$recursiveRef", 2019],
  ["$dynamicRef", 2020],
]);

/** Returns the schemas directly below a schema. Other values are data, even if they look like schemas. */
export function partsOf(schema: GoMap, draft: Draft): readonly SchemaPart[] {
  const parts: SchemaPart[] = [];
  for (const [keyword, value] of schema) {
    if (isKnown(namingKeywords, keyword, draft) && isMap(value)) {
      for (const [name, part] of value) parts.push(partAt(keyword, below("", name), part));
    }
    if (!isKnown(directKeywords, keyword, draft)) continue;
    if (isSlice(value)) parts.push(...value.map((part, index) => partAt(keyword, below("", index), part)));
    else parts.push(partAt(keyword, "", value));
  }
  return parts;
}

/** Returns the schemas directly below a schema that take part in a check. A part that only defines something is used by references. */
export function usedPartsOf(schema: GoMap, draft: Draft): readonly SchemaPart[] {
  if (isReferenceOnly(schema, draft)) return [];
  return partsOf(schema, draft).filter(({ keyword }) => isUsed(keyword, schema, draft));
}

/** Returns the references of a schema that its draft follows. */
export function referencesOf(
  schema: GoMap,
  draft: Draft,
): readonly { readonly keyword: string; readonly reference: string }[] {
  return [...referenceKeywords.keys()].flatMap((keyword) => {
    const reference = isKnown(referenceKeywords, keyword, draft) ? schema.get(keyword) : undefined;
    return typeof reference === "string" ? [{ keyword, reference }] : [];
  });
}

/** Whether all other keywords have no effect: up to draft 7, a reference stands alone. */
export function isReferenceOnly(schema: GoMap, draft: Draft): boolean {
  return draft <= 7 && schema.has("$ref");
}

function isUsed(keyword: string, schema: GoMap, draft: Draft): boolean {
  switch (keyword) {
    case "$defs":
    case "contentSchema":
    case "definitions":
      return false;
    case "then":
    case "else":
      return schema.has("if");
    case "additionalItems":
      return draft < 2020 && isSlice(schema.get("items"));
    default:
      return true;
  }
}

function isKnown(keywords: ReadonlyMap<string, Draft>, keyword: string, draft: Draft): boolean {
  const since = keywords.get(keyword);
  return since !== undefined && draft >= since;
}

function partAt(keyword: string, rest: string, schema: Value): SchemaPart {
  return { keyword, pointer: `${below("", keyword)}${rest}`, schema };
}
