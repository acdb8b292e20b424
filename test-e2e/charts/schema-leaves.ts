import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Schema = Readonly<Record<string, unknown>>;

/** A value that a chart takes, with the way to it; "[]" is an entry of a list. */
export interface Leaf {
  readonly path: readonly string[];
  readonly schema: Schema;
  /** Of the objects on the way: fields that have to be there beside it. */
  readonly siblings: readonly (readonly (readonly [string, Schema])[])[];
  /** Its object has to have it. */
  readonly isRequired: boolean;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** values.schema.json of a chart. */
export function readSchema(folder: string): Schema {
  return JSON.parse(readFileSync(join(folder, "values.schema.json"), "utf8")) as Schema;
}

/** All values of a schema that have no values below them. A value that is a text or an object is both. */
export function leavesOf(schema: Schema): Leaf[] {
  return collect({ path: [], schema, siblings: [], isRequired: false });
}

function collect({ path, schema, siblings: above, isRequired }: Leaf): Leaf[] {
  const { properties, items, type } = schema;
  if (isSchema(items) && isSchema(items["properties"])) {
    return collect({ path: [...path, "[]"], schema: items, siblings: [...above, []], isRequired });
  }
  const own = Array.isArray(type) || !isSchema(properties) ? [{ path, schema, siblings: above, isRequired }] : [];
  if (!isSchema(properties)) return own;
  const { required } = schema;
  const needed = Array.isArray(required) ? required.map(String) : [];
  const below = Object.entries(properties).flatMap(([name, field]) => {
    if (!isSchema(field)) return [];
    const siblings = needed.filter((each) => each !== name).map((each) => [each, properties[each] as Schema] as const); // required fields are described
    const at = { path: [...path, name], siblings: [...above, siblings] };
    return collect({ ...at, schema: field, isRequired: needed.includes(name) });
  });
  return [...own, ...below];
}

/** Paths of all objects whose fields a schema names. */
export function objectsOf(schema: Schema, path: readonly string[] = []): (readonly string[])[] {
  const { properties, items } = schema;
  if (isSchema(items)) return objectsOf(items, [...path, "[]"]);
  if (!isSchema(properties)) return [];
  const below = Object.entries(properties).flatMap(([name, field]) =>
    isSchema(field) ? objectsOf(field, [...path, name]) : [],
  );
  return [path, ...below];
}
