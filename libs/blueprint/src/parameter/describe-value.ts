import { typeWord } from "@landscaper/json";
/** Type of a JSON value for messages; never the value, which may be a secret. */
export function describeType(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  if (value === "") return "an empty string";
  return `a ${typeWord(value)}`;
}

/** Whether the value is a map: an object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
