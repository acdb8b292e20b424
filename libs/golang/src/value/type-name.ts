import { GoInt } from "./go-int.ts";
import { collectionType, GoObject, isMap, isSlice, type Value } from "./value.ts";

/** Go's name of the value's type, as `%T` and error messages print it. */
export function typeName(value: Value): string {
  if (value === undefined || value === null) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "float64";
  if (typeof value === "boolean") return "bool";
  if (value instanceof GoInt) return value.named?.typeName ?? value.kind;
  if (value instanceof Uint8Array) return "[]uint8";
  if (value instanceof GoObject) return value.typeName;
  if (isMap(value)) return value[collectionType]?.name ?? "map[string]interface {}";
  if (isSlice(value)) return value[collectionType]?.name ?? "[]interface {}";
  return "func()";
}

/** Go's reflect.Kind name of a value. */
export function kindName(value: Value): string {
  if (value === undefined || value === null) return "invalid";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "float64";
  if (typeof value === "boolean") return "bool";
  if (value instanceof GoInt) return value.kind;
  if (value instanceof Uint8Array) return "slice";
  if (value instanceof GoObject) return value.goKind;
  if (isMap(value)) return "map";
  if (isSlice(value)) return value[collectionType]?.isArray === true ? "array" : "slice";
  return "func";
}

/** Element type of a slice or map: "interface {}" unless it is tagged. */
export function elementTypeName(value: Value): string {
  if (value instanceof Uint8Array) return "uint8";
  if (isMap(value) || isSlice(value)) return value[collectionType]?.element ?? "interface {}";
  return "interface {}";
}

/** The zero value of an element type by name, as a map of that type gives for a missing key. */
export function zeroOf(type: string): Value {
  switch (type) {
    case "string":
      return "";
    case "bool":
      return false;
    case "float64":
      return 0;
    case "int":
    case "int64":
    case "uint8":
      return new GoInt(type, 0n);
    case "[]uint8":
      return new Uint8Array();
    default:
      return null;
  }
}
