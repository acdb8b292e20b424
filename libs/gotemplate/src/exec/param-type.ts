import {
  GoInt,
  GoObject,
  NamedMap,
  type ParamType,
  type Value,
  collectionType,
  isMap,
  isSlice,
  typeName,
  withType,
} from "@landscaper/golang";
import type { ExecState } from "./exec-state.ts";

const goNames: Readonly<Record<ParamType, string>> = {
  any: "interface {}",
  value: "reflect.Value",
  string: "string",
  bool: "bool",
  int: "int",
  int64: "int64",
  uint32: "uint32",
  float64: "float64",
  map: "map[string]interface {}",
  list: "[]interface {}",
  strings: "[]string",
  bytes: "[]uint8",
  "time.Time": "time.Time",
  "sprig.certificate": "sprig.certificate",
};

/** Go's name of a parameter type. */
export function paramTypeName(type: ParamType): string {
  return goNames[type];
}

/** Whether the value may be passed as it is. */
export function isAssignable(value: Value, type: ParamType): boolean {
  switch (type) {
    case "any":
    case "value":
      return true;
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "float64":
      return typeof value === "number";
    case "int":
    case "int64":
    case "uint32":
      return value instanceof GoInt && value.kind === type && value.named === undefined;
    case "map":
      return isMap(value) && (value[collectionType]?.element ?? "interface {}") === "interface {}";
    case "list":
      return isSlice(value) && isSliceOf(value[collectionType], "interface {}");
    case "strings":
      return isSlice(value) && isSliceOf(value[collectionType], "string");
    case "bytes":
      return value instanceof Uint8Array;
    case "time.Time":
    case "sprig.certificate":
      return value instanceof GoObject && value.typeName === type;
  }
}

function isSliceOf(type: { element: string; isArray?: boolean } | undefined, element: string): boolean {
  return (type?.element ?? "interface {}") === element && type?.isArray !== true;
}

/** The nil of types that have one; undefined for those that have none. */
export function nilOf(type: ParamType): Value {
  switch (type) {
    case "any":
      return null;
    case "map":
      return withType(new Map<string, Value>(), { name: goNames.map, element: "interface {}", isNil: true });
    case "list":
      return withType([], { name: goNames.list, element: "interface {}", isNil: true });
    case "strings":
      return withType([], { name: goNames.strings, element: "string", isNil: true });
    case "bytes":
      return new Uint8Array();
    case "value":
    case "string":
    case "bool":
    case "int":
    case "int64":
    case "uint32":
    case "float64":
    case "time.Time":
    case "sprig.certificate":
      return undefined;
  }
}

/** Go's validateType: the value as an argument of the type, or the error. */
export function validateArgument(state: ExecState, value: Value, type: ParamType): Value {
  if (type === "value") return value;
  if (value === undefined) {
    const nil = nilOf(type);
    return nil === undefined ? state.fail(`invalid value; expected ${goNames[type]}`) : nil;
  }
  if (isAssignable(value, type)) return type === "map" && value instanceof NamedMap ? value.underlying : value;
  const found = value === null ? "interface {}" : typeName(value);
  return state.fail(`wrong type for value; expected ${goNames[type]}; got ${found}`);
}
