import { getField, isJsonObject } from "../json-object.ts";
import { keyElement, valueElement } from "./field-set.ts";

/** What managed fields have to know of a type: what of it can be owned on its own. */
export type FieldSchema = ScalarSchema | ListSchema | MapSchema | AnySchema;

export interface ScalarSchema {
  readonly kind: "scalar";
  /** "untyped": any scalar, e.g. a quantity or an int-or-string. */
  readonly type: "string" | "number" | "boolean" | "untyped";
}

export interface ListSchema {
  readonly kind: "list";
  /** An atomic list is owned as a whole, the items of a set by value, those of a map by their keys. */
  readonly relation: "atomic" | "set" | "map";
  /** Of a list of relation "map": the keys of its items. A key with a default may be missing in an item. */
  readonly keys: readonly ListKey[];
  readonly item: FieldSchema;
}

export interface ListKey {
  readonly name: string;
  readonly defaultValue?: unknown;
}

export interface MapSchema {
  readonly kind: "map";
  readonly isAtomic: boolean;
  /** Declared fields; filled after the schema was made when types contain themselves. */
  readonly fields: ReadonlyMap<string, FieldSchema>;
  /** Of all other keys; undefined: there must be none. */
  readonly values: FieldSchema | undefined;
}

/** No schema: maps are owned by key, lists as a whole. With `isAtomic` maps are owned as a whole, too. */
export interface AnySchema {
  readonly kind: "any";
  readonly isAtomic: boolean;
}

/** The schema of data of which nothing is known. */
export const deducedSchema: AnySchema = { kind: "any", isAtomic: false };

/** How a value takes part: as one leaf, or by what it contains. */
export type Shape =
  | { readonly kind: "leaf" }
  | { readonly kind: "list"; readonly schema: ListSchema }
  | { readonly kind: "map"; readonly schema: MapSchema };

const leaf: Shape = { kind: "leaf" };
const deducedMap: Shape = {
  kind: "map",
  schema: { kind: "map", isAtomic: false, fields: new Map(), values: deducedSchema },
};

/** The shape of a value under a schema; only for a schema that says nothing does the value matter. */
export function shapeOf(schema: FieldSchema, value: unknown): Shape {
  switch (schema.kind) {
    case "scalar":
      return leaf;
    case "list":
      return schema.relation === "atomic" ? leaf : { kind: "list", schema };
    case "map":
      return schema.isAtomic ? leaf : { kind: "map", schema };
    case "any":
      return isJsonObject(value) && !schema.isAtomic ? deducedMap : leaf;
  }
}

/** The schema of a key of a map; undefined when the map has no such key. */
export function fieldSchemaOf(schema: MapSchema, key: string): FieldSchema | undefined {
  return schema.fields.get(key) ?? schema.values;
}

/** The path element of an item of a list of relation "set" or "map". */
export function itemElement({ relation, keys }: ListSchema, item: unknown): string {
  if (relation === "set") return valueElement(item);
  const object = isJsonObject(item) ? item : {};
  const values: Record<string, unknown> = {};
  for (const { name, defaultValue } of keys) {
    const value = getField(object, name) ?? defaultValue;
    if (value !== undefined) values[name] = value;
  }
  return keyElement(values);
}
