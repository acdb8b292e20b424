import type { FieldSchema, ListKey } from "@landscaper/patch";
import { deducedSchema } from "@landscaper/patch";
import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import { objectMetaSchema } from "./parse-field-types.ts";

type Raw = Readonly<Record<string, unknown>>;

const text: FieldSchema = { kind: "scalar", type: "string" };
const typeMeta: ReadonlyMap<string, FieldSchema> = new Map([
  ["apiVersion", text],
  ["kind", text],
]);

/** What of a custom resource can be owned, as the openAPIV3Schema of its version says it. */
export function crdFieldSchema(openApiSchema: Raw): FieldSchema {
  const schema = objectSchema(openApiSchema);
  return schema.kind === "map" ? withObjectFields(schema) : schema;
}

function withObjectFields(schema: FieldSchema & { readonly kind: "map" }): FieldSchema {
  const fields = new Map([...schema.fields, ...typeMeta, ["metadata", objectMetaSchema()] as const]);
  return { ...schema, isAtomic: false, fields };
}

function toFieldSchema(value: unknown): FieldSchema {
  const raw: Raw = isRecord(value) ? value : {};
  switch (raw["type"]) {
    case "object":
      return objectSchema(raw);
    case "array":
      return listSchema(raw);
    case "string":
      return text;
    case "boolean":
      return { kind: "scalar", type: "boolean" };
    case "integer":
    case "number":
      return { kind: "scalar", type: "number" };
    default:
      return deducedSchema;
  }
}

function objectSchema(raw: Raw): FieldSchema {
  const fields = new Map(
    Object.entries(recordAt(raw, "properties")).map(([name, schema]) => [name, toFieldSchema(schema)] as const),
  );
  const isEmbedded = raw["x-kubernetes-embedded-resource"] === true;
  const schema = {
    kind: "map",
    isAtomic: raw["x-kubernetes-map-type"] === "atomic",
    fields,
    values: valuesSchema(raw, fields.size > 0 || isEmbedded),
  } as const;
  return isEmbedded ? withObjectFields(schema) : schema;
}

/** Of keys that are not declared; an object that declares none may have any. */
function valuesSchema(raw: Raw, declaresFields: boolean): FieldSchema | undefined {
  const { additionalProperties } = raw;
  if (isRecord(additionalProperties)) return toFieldSchema(additionalProperties);
  const isOpen = additionalProperties === true || raw["x-kubernetes-preserve-unknown-fields"] === true;
  return isOpen || !declaresFields ? deducedSchema : undefined;
}

function listSchema(raw: Raw): FieldSchema {
  const item = toFieldSchema(raw["items"]);
  switch (raw["x-kubernetes-list-type"]) {
    case "set":
      return { kind: "list", relation: "set", keys: [], item };
    case "map":
      return { kind: "list", relation: "map", keys: listKeys(raw), item };
    default:
      return { kind: "list", relation: "atomic", keys: [], item };
  }
}

function listKeys(raw: Raw): readonly ListKey[] {
  return listAt(raw, "x-kubernetes-list-map-keys").map((key) => {
    const name = String(key);
    const property = recordAt(raw, "items", "properties", name);
    const defaultValue = property["default"];
    return defaultValue === undefined ? { name } : { name, defaultValue };
  });
}

/** For messages: "apps/v1, Kind=Deployment". */
export function describeKind(object: Raw): string {
  const apiVersion = stringAt(object, "apiVersion");
  return `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${stringAt(object, "kind")}`;
}
