import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { ListValue, Value } from "../value/value.ts";
import { stepsOf } from "./list-steps.ts";
import { findOverride, isContainer } from "./stubs.ts";

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
  if (typeof value === "object" && value?.kind === "list") return mergeList(value, stubs, path);
  const found = findOverride(stubs, path);
  return found === undefined ? value : found.value;
}

/** Maps and lists in a list are merged by their key, or by their place; other entries stay. */
function mergeList(list: ListValue, stubs: readonly Value[], path: readonly string[]): ListValue {
  const steps = stepsOf(list.items, list.keyField);
  const items = list.items.map((cell, index) => {
    if (!isContainer(cell.value)) return cell;
    const merged = new Cell(mergeStubs(cell.value, stubs, [...path, steps[index] ?? `[${index}]`]));
    merged.markers = cell.markers;
    return merged;
  });
  return completeList(items, list.keyField);
}
