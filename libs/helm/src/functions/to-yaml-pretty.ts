import { GoInt, GoObject, GoTime, type Value, encodeUtf8, isEmpty, isMap, isSlice } from "@landscaper/golang";
import { OrderedEntries, toYamlV3, VerbatimScalar } from "@landscaper/goyaml";
import { GoStruct } from "../objects/go-struct.ts";

/** YAML as go-yaml v3 writes Go values: not through JSON, so that structs have the names of their fields in lower case. */
export function toYamlPretty(value: Value): string {
  return toYamlV3(yamlValue(value));
}

function yamlValue(value: Value): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" && !value.isWellFormed()) {
    return new VerbatimScalar(`!!binary ${Buffer.from(encodeUtf8(value)).toString("base64")}`);
  }
  if (typeof value !== "object") return value;
  if (value instanceof GoInt) return value.named === undefined ? value.value : value.named.format(value.value);
  if (value instanceof Uint8Array) return [...value].map(BigInt);
  // Copies, so that nil lists and maps are written as empty ones.
  if (isMap(value)) return new Map([...value].map(([key, item]) => [key, yamlValue(item)]));
  if (isSlice(value)) return value.map(yamlValue);
  if (value instanceof GoStruct) return structEntries(value);
  if (value instanceof GoTime) return new VerbatimScalar(String(value.toJSON()));
  return value instanceof GoObject ? (value.text() ?? new Map()) : null;
}

function structEntries(struct: GoStruct): OrderedEntries {
  const present = struct.structFields.filter((field) => field.omitsEmptyYaml !== true || !isEmpty(field.value));
  return new OrderedEntries(present.map((field) => [field.yaml ?? field.name.toLowerCase(), yamlValue(field.value)]));
}
