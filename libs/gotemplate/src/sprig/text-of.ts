import { type Value, collectionType, decodeUtf8, formatDefault, isSlice } from "@landscaper/golang";

/** Sprig's strval: the text of any value. */
export function textOf(value: Value): string {
  if (typeof value === "string") return value;
  return value instanceof Uint8Array ? decodeUtf8(value) : formatDefault(value);
}

/** Sprig's strslice: the texts of a list's items without nil; another value is a list of one, nil of none. */
export function textsOf(value: Value): string[] {
  if (value === null || value === undefined) return [];
  if (value instanceof Uint8Array) return Array.from(value, String);
  if (!isSlice(value)) return [textOf(value)];
  if (value[collectionType]?.element === "string") return value.map(textOf);
  return value.filter((item) => item !== null && item !== undefined).map(textOf);
}
