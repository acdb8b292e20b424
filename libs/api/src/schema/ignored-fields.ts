import { isJsonRecord, type JsonRecord as JsonSchema } from "../values/json-value.ts";
import { didYouMean, findNearestName } from "../values/nearest-name.ts";

/** A field that whoever reads the object passes over: its schema does not name it, or says that it has no effect. */
export interface IgnoredField {
  /** From the root of the value: `imports[0].requierd`. */
  readonly path: string;
  /** The field of the same object that its name is like. */
  readonly nearest?: string;
  /** Why a field has no effect that the schema names. */
  readonly why?: string;
}

/** Keyword of schemas of fields that are accepted and have no effect. Its value says why: a part of a sentence. */
export const withoutEffectKeyword = "x-without-effect";

/** The description of a field or kind in generated documents; `why` is the value of its keyword. */
export function describeEffect(description: string, why: unknown): string {
  return typeof why === "string" ? `${description} Without effect: ${why}.` : description;
}

/** Beyond, nobody reads on, and content of users must not cost more. */
const maxFound = 50;

/**
 * The fields of a value that are passed over, in the order of the value, at most 50. What a schema keeps as it is, such as the content of a
 * manifest, is not looked at. A field of a union is known when one of its forms knows it.
 */
export function findIgnoredFields(schema: JsonSchema, value: unknown): readonly IgnoredField[] {
  const found: IgnoredField[] = [];
  collect(schema, value, { path: "", found, definitions: {} });
  return found;
}

/** In the words of the API server: `unknown field "deployExecution"`, with the field that may have been meant; or why it has no effect. */
export function describeIgnoredField({ path, nearest, why }: IgnoredField): string {
  if (why !== undefined) return `field "${path}" has no effect: ${why}`;
  return `unknown field "${path}"${didYouMean(nearest, ",")}`;
}

interface Search {
  readonly path: string;
  readonly found: IgnoredField[];
  readonly definitions: JsonSchema;
}

function collect(schema: JsonSchema, value: unknown, above: Search): void {
  if (above.found.length >= maxFound || value === null || typeof value !== "object") return;
  const { $defs, $ref } = schema;
  const definitions = isJsonRecord($defs) ? $defs : above.definitions;
  const search = { ...above, definitions };
  if (typeof $ref === "string") {
    const target = definitions[$ref];
    if (isJsonRecord(target)) collect(target, value, search);
    return;
  }
  const { anyOf: forms } = schema;
  if (Array.isArray(forms)) collectOfUnion(forms.filter(isJsonRecord), value, search);
  else if (Array.isArray(value)) collectOfItems(schema, value, search);
  else if (isJsonRecord(value)) collectOfObject(schema, value, search);
}

/** What is unknown in the form that knows most of the value; a list cannot be in the form of an object, nor the other way round. */
function collectOfUnion(forms: readonly JsonSchema[], value: unknown, search: Search): void {
  const other = Array.isArray(value) ? "object" : "array";
  const possible = forms.filter(({ type }) => type !== other && type !== "string");
  const results = possible.map((form) => {
    const found: IgnoredField[] = [];
    collect(form, value, { ...search, found });
    return found;
  });
  const [best = []] = results.toSorted((one, other) => one.length - other.length);
  search.found.push(...best.slice(0, maxFound - search.found.length));
}

function collectOfItems({ items }: JsonSchema, value: readonly unknown[], search: Search): void {
  if (!isJsonRecord(items)) return;
  for (const [index, item] of value.entries()) collect(items, item, { ...search, path: `${search.path}[${index}]` });
}

function collectOfObject(schema: JsonSchema, value: JsonSchema, search: Search): void {
  const { properties, patternProperties } = schema;
  if (isJsonRecord(patternProperties)) {
    const [values] = Object.values(patternProperties);
    if (!isJsonRecord(values)) return;
    for (const [key, field] of Object.entries(value))
      collect(values, field, { ...search, path: pathTo(search.path, key) });
    return;
  }
  if (!isJsonRecord(properties)) return;
  for (const [key, field] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const path = pathTo(search.path, key);
    const why = isJsonRecord(known) ? known[withoutEffectKeyword] : undefined;
    if (typeof why === "string") search.found.push({ path, why });
    else if (isJsonRecord(known)) collect(known, field, { ...search, path });
    else if (schema["x-kubernetes-preserve-unknown-fields"] !== true && search.found.length < maxFound) {
      const nearest = findNearestName(key, Object.keys(properties));
      search.found.push(nearest === undefined ? { path } : { path, nearest });
    }
  }
}

function pathTo(path: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
