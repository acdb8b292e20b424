import { foldKeys } from "@landscaper/goyaml";

type Schema = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Gives the fields that a schema knows their right case, at every depth: Go's decoder, which existing descriptors were
 * written for, matches them without regard to case (docs/reference/components.md#descriptors). Keys of free maps stay as they are.
 */
export function foldDocument(value: unknown, schema: Schema): unknown {
  const { items, properties } = schema;
  if (Array.isArray(value) && isMap(items)) return value.map((item: unknown) => foldDocument(item, items));
  if (!isMap(value) || !isMap(properties)) return value;
  const folded = foldKeys(value, Object.keys(properties));
  if (!isMap(folded)) return folded;
  const entries = Object.entries(folded).map(([key, member]) => {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return [key, isMap(known) ? foldDocument(member, known) : member];
  });
  return Object.fromEntries(entries);
}
