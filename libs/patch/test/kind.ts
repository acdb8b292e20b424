import type { ManagedKind } from "../src/managed-fields/field-ownership.ts";
import type { FieldSchema } from "../src/managed-fields/field-schema.ts";
import { fieldPath } from "../src/managed-fields/field-set.ts";

const text: FieldSchema = { kind: "scalar", type: "string" };

function fields(entries: Readonly<Record<string, FieldSchema>>): FieldSchema {
  return { kind: "map", isAtomic: false, fields: new Map(Object.entries(entries)), values: undefined };
}

const item = fields({ name: text, value: text, note: text });

/** A kind with one field of each sort, for the tests here. */
export const testSchema: FieldSchema = fields({
  apiVersion: text,
  kind: text,
  metadata: fields({
    name: text,
    labels: { kind: "map", isAtomic: false, fields: new Map(), values: text },
    annotations: { kind: "map", isAtomic: false, fields: new Map(), values: text },
    finalizers: { kind: "list", relation: "set", keys: [], item: text },
  }),
  spec: fields({
    size: { kind: "scalar", type: "number" },
    on: { kind: "scalar", type: "boolean" },
    quantity: { kind: "scalar", type: "untyped" },
    plain: { kind: "list", relation: "atomic", keys: [], item: text },
    items: { kind: "list", relation: "map", keys: [{ name: "name" }], item },
    whole: { kind: "map", isAtomic: true, fields: new Map(), values: text },
    open: { kind: "any", isAtomic: false },
  }),
  status: fields({ phase: text }),
});

const version = { schema: testSchema, convert: (object: Record<string, unknown>) => object };

export const testKind: ManagedKind = {
  version,
  versionOf: (apiVersion) => (apiVersion === "v1" ? version : undefined),
  ignored: fieldPath("status"),
  empty: {},
};
