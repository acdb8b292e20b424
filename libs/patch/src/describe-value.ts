import { isJsonObject } from "./json-object.ts";

/** A value as Go's `%v` prints it: the form of the API server's messages. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) {
    return "<nil>";
  }
  if (Array.isArray(value)) {
    return `[${value.map(describeValue).join(" ")}]`;
  }
  if (isJsonObject(value)) {
    const fields = Object.keys(value).toSorted();
    return `map[${fields.map((key) => `${key}:${describeValue(value[key])}`).join(" ")}]`;
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The name of the Go type that a JSON value decodes to. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) {
    return "%!s(<nil>)";
  }
  if (Array.isArray(value)) {
    return "[]interface {}";
  }
  if (typeof value === "number") {
    return Number.isInteger(value) ? "int64" : "float64";
  }
  if (typeof value === "bigint") {
    return "int64";
  }
  if (typeof value === "string") {
    return "string";
  }
  return typeof value === "boolean" ? "bool" : "map[string]interface {}";
}
