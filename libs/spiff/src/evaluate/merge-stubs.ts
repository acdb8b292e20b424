import { completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { Value } from "../value/value.ts";
import { findOverride } from "./stubs.ts";

/** A complete value with the stubs' values at its path: maps field by field, anything else as a whole. */
export function mergeStubs(value: Value, stubs: readonly Value[], path: readonly string[]): Value {
  if (typeof value === "object" && value?.kind === "map") {
    const cells = new Map<string, Cell>();
    for (const [key, cell] of value.cells) {
      const merged = new Cell(mergeStubs(cell.value, stubs, [...path, key]));
      merged.markers = cell.markers;
      cells.set(key, merged);
    }
    return completeMap(cells);
  }
  if (typeof value === "object" && value?.kind === "list") return value;
  const found = findOverride(stubs, path);
  return found === undefined ? value : found.value;
}
