import type { ListValue, MapValue, Value } from "./value.ts";

const sizes = new WeakMap<ListValue | MapValue, number>();

/** Characters that every value takes at least. */
const leastSize = 8;

/**
 * About how many characters a complete value has when it is written out. Lists and maps may contain the same ones again
 * and again, so a small value can be a huge text; here each of them is only counted once.
 */
export function expandedSize(value: Value): number {
  if (typeof value === "string") return leastSize + value.length;
  if (typeof value !== "object" || value === null || (value.kind !== "list" && value.kind !== "map")) return leastSize;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = leastSize;
  if (value.kind === "list") for (const cell of value.items) size += expandedSize(cell.value);
  else for (const [key, cell] of value.cells) size += key.length + expandedSize(cell.value);
  sizes.set(value, size);
  return size;
}
