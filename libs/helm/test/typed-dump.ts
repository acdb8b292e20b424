import { GoInt, type Value, isMap, isSlice, typeName } from "@landscaper/golang";

/** A value as plain data that also tells Go's types apart: 1 is a float64, { "!int64": "1" } an int64. For tests. */
export function typedDump(value: Value): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (value instanceof GoInt) return { [`!${value.kind}`]: value.toString() };
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [key, typedDump(item)]));
  if (isSlice(value)) return value.map(typedDump);
  return { "!type": typeName(value) };
}
