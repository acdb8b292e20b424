/** A value as JSON and YAML writers see it. */
export type PlainValue = null | boolean | number | bigint | string | readonly unknown[] | PlainEntries;

/** A map as its entries, so that objects and Maps are written alike. */
export interface PlainEntries {
  readonly entries: readonly (readonly [key: string, value: unknown])[];
}

/** A map that YAML writers do not sort, such as the fields of a struct. */
export class OrderedEntries implements PlainEntries {
  readonly entries: PlainEntries["entries"];

  constructor(entries: PlainEntries["entries"]) {
    this.entries = entries;
  }
}

/**
 * What to write for a value: objects and Maps as entries, bytes as base64 text, undefined as null, what has
 * toJSON() as its result. Functions and symbols are null.
 */
export function plainValue(value: unknown): PlainValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return value;
  if (typeof value !== "object" || value === null) return null;
  if (value instanceof OrderedEntries) return value;
  // Before toJSON(), which Buffers have.
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if ("toJSON" in value && typeof value.toJSON === "function") return plainValue(value.toJSON());
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return { entries: [...value].map(([key, item]) => [String(key), item] as const) };
  return { entries: Object.entries(value).filter(([, item]) => item !== undefined) };
}

export function isEntries(value: PlainValue): value is PlainEntries {
  return typeof value === "object" && value !== null && "entries" in value && Array.isArray(value.entries);
}
