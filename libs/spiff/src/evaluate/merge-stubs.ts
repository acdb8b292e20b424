import { joinMarkers, withoutInjection } from "../document/markers.ts";
import type { Source } from "../document/source.ts";
import { completeList, completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { ListValue, Value } from "../value/value.ts";
import { stepsOf } from "./list-steps.ts";
import { findOverride, injectedEntriesOf, injectedInto, isContainer, isDynamicExpression } from "./stubs.ts";

/** A complete value with the stubs' values at its path: maps field by field, anything else as a whole. */
export function mergeStubs(value: Value, stubs: readonly Value[], path: readonly string[]): Value {
  if (isContainer(value)) return mergeBelow(value, stubs, path);
  const found = findOverride(stubs, path);
  return found === undefined ? value : found.value;
}

/** Stubs do not change what a merge has found or a dynamic expression gives, also where that is inserted. */
export function isKept(cell: Cell): boolean {
  return cell.hasMerged || isDynamicExpression(cell);
}

/** Stubs mark what they do not replace, too. */
function mergeCell(cell: Cell, stubs: readonly Value[], path: readonly string[]): Cell {
  if (isKept(cell)) return cell;
  const found = findOverride(stubs, path);
  const isOpen = isContainer(cell.value);
  const merged = new Cell(isOpen ? mergeBelow(cell.value, stubs, path) : (found ?? cell).value);
  merged.markers = joinMarkers(cell.markers, isOpen ? withoutInjection(found?.markers) : found?.markers);
  return merged;
}

function mergeBelow(value: Value, stubs: readonly Value[], path: readonly string[]): Value {
  if (typeof value !== "object" || value === null) return value;
  if (value.kind === "list") return mergeList(value, stubs, path);
  if (value.kind !== "map") return value;
  const cells = [...value.cells].map(([key, cell]) => [key, mergeCell(cell, stubs, [...path, key])] as const);
  return completeMap(new Map([...cells, ...injectedInto(stubs, path, value.cells.keys())]));
}

/** Maps and lists in a list are merged by their key, or by their place; other entries stay. */
function mergeList(list: ListValue, stubs: readonly Value[], path: readonly string[]): ListValue {
  const steps = stepsOf(list.items, list.keyField);
  const items = list.items.map((cell, index) =>
    isContainer(cell.value) ? mergeCell(cell, stubs, [...path, steps[index] ?? `[${index}]`]) : cell,
  );
  const injected = injectedEntriesOf(stubs, path).entries.filter((cell) => !list.items.includes(cell));
  return completeList([...injected, ...items], list.keyField);
}

/** A part of a document with the stubs' values in place of its plain values. */
export function mergeScalars(source: Source, stubs: readonly Value[], path: readonly string[]): Source {
  if (source.kind === "scalar") {
    const found = findOverride(stubs, path);
    return found === undefined ? source : { ...source, value: found.value };
  }
  if (source.kind !== "map") return source;
  const entries = [...source.entries].map(([key, entry]) => [key, mergeScalars(entry, stubs, [...path, key])] as const);
  return { ...source, entries: new Map(entries), constant: undefined };
}
