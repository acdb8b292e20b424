import { describeType, isRecord } from "../parameter/describe-value.ts";
import { mapSubschemas } from "./map-subschemas.ts";
import { keysOf, refError, refTo } from "./schema-pointer.ts";
import type { JsonSchema } from "./resolve-schema-refs.ts";

/** Fragments of addresses as names of subschemas: `$id: "#name"`, and `id: "#name"` of draft-04. */
const namedByFragment = /^#([^/]+)$/;

export interface LocalRefOptions {
  /** How the draft of the schema names subschemas: by `$anchor`, or by a fragment as `$id`. */
  readonly keyword: "$anchor" | "$id";
  /** Begins messages. */
  readonly path: string;
}

/**
 * Writes references within a schema as its draft knows them. The original reads all drafts as one (docs/compatibility.md#templates-and-schemas):
 *
 * - `#definitions/name` is `#/definitions/name`.
 * - A subschema may be named by `$id: "#name"`, `id: "#name"` or `$anchor: "name"`; `#name` is that subschema, even where the schema has a key of the name.
 *
 * References to other documents stay. Throws LandscaperError if a reference leads to no schema. Pure.
 */
export function normalizeLocalRefs(schema: JsonSchema, { keyword, path }: LocalRefOptions): JsonSchema {
  const names = new Set<string>();
  let isOneDocument = true;
  mapSubschemas(schema, (copy, original) => {
    const name = nameOf(copy);
    if (name !== undefined) names.add(name);
    else if (original !== schema && typeof copy["$id"] === "string") isOneDocument = false;
  });
  const normalized = mapSubschemas(schema, (copy) => {
    rename(copy, keyword);
    const ref = copy["$ref"];
    if (typeof ref !== "string" || !ref.startsWith("#") || ref === "#" || names.has(ref.slice(1))) return;
    // ajv takes it for the whole schema.
    if (ref === "#/") throw refError(ref, path, "expected the path of a place in the schema, or # for all of it");
    const keys = keysOf(ref, path);
    // A subschema with an address is a document of its own, which `#` begins at.
    if (isOneDocument) demandSchema(schema, { ref, keys, path });
    copy["$ref"] = refTo(keys);
  });
  // A copy of a schema is one.
  return normalized as JsonSchema;
}

function nameOf({ $anchor, $id, id }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof $anchor === "string") return $anchor;
  const address = typeof $id === "string" ? $id : id;
  return typeof address === "string" ? namedByFragment.exec(address)?.[1] : undefined;
}

function rename(schema: Record<string, unknown>, keyword: LocalRefOptions["keyword"]): void {
  const name = nameOf(schema);
  if (name === undefined) return;
  for (const each of ["$anchor", "$id", "id"]) delete schema[each];
  schema[keyword] = keyword === "$anchor" ? name : `#${name}`;
}

interface LocalRef {
  readonly ref: string;
  readonly keys: readonly string[];
  readonly path: string;
}

function demandSchema(schema: unknown, { ref, keys, path }: LocalRef): void {
  let current = schema;
  for (const key of keys) {
    const isThere = typeof current === "object" && current !== null && Object.hasOwn(current, key);
    if (!isThere) throw refError(ref, path, "expected a place that is there");
    current = Reflect.get(Object(current), key);
  }
  if (isRecord(current) || typeof current === "boolean") return;
  throw refError(ref, path, `expected the place of a JSON schema, where ${describeType(current)} is`);
}
