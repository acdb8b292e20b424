import { joinMarkers, withoutInjection } from "../../document/markers.ts";
import type { Source } from "../../document/source.ts";
import { completeList, completeMap } from "../../value/build-value.ts";
import { Cell } from "../../value/cell.ts";
import type { ListValue, MapValue, Value } from "../../value/value.ts";
import { childOf, pathNames, type Environment } from "../environment.ts";
import { injectedCell } from "./injected-cell.ts";
import { stepsOf } from "./list-steps.ts";
import {
  findOverride,
  injectedEntriesOf,
  injectedInto,
  isContainer,
  isDynamicExpression,
  isKept,
  isReplaceable,
} from "./stubs.ts";
import { writtenSteps } from "./written-keys.ts";
import { markersElsewhere, mergeElsewhere, takenValue } from "../substitute-dynamic.ts";

/** A complete value with the stubs' values at its place: maps field by field, anything else as a whole. */
export function mergeStubs(value: Value, environment: Environment): Value {
  if (isContainer(value)) return mergeBelow(value, environment);
  const found = overrideOf(environment);
  return found === undefined ? value : found.value;
}

/** Its place was not the final one when it was evaluated: a stub replaces it as a whole, as it replaces other expressions. */
function isEarlyExpression(cell: Cell): boolean {
  const { source, environment } = cell;
  if (source?.kind !== "expression" || environment?.isEarly !== true) return false;
  return source.parsed.whole?.kind !== "prefer" && !isDynamicExpression(cell);
}

function overrideOf({ document, stubPath }: Environment): Cell | undefined {
  return findOverride(document.stubs, pathNames(stubPath));
}

/** Stubs mark what they do not replace, too. */
export function mergeCell(cell: Cell, environment: Environment): Cell {
  if (isKept(cell)) return cell;
  const found = overrideOf(environment);
  if (isContainer(cell.value) && (found === undefined || !isEarlyExpression(cell))) {
    const merged = new Cell(mergeBelow(cell.value, environment));
    merged.isOfDefault = cell.isOfDefault;
    merged.isReplaced = isReplaceable(cell);
    merged.markers = joinMarkers(cell.markers, withoutInjection(found?.markers));
    return merged;
  }
  if (found?.dynamic !== undefined) {
    // Its template is evaluated here, when the node is needed.
    const source = { kind: "scalar", value: cell.value, markers: cell.markers } as const;
    return new Cell(null, { source, environment: { ...environment, isUnmerged: false } });
  }
  if (found === undefined) return cell;
  const merged = new Cell(takenValue(found, environment));
  merged.markers = joinMarkers(joinMarkers(cell.markers, found.markers), markersElsewhere(found.value, environment));
  merged.isReplaced = true;
  return merged;
}

function mergeBelow(value: Value, environment: Environment): Value {
  if (typeof value !== "object" || value === null) return value;
  if (value.kind === "list") return mergeList(value, environment);
  if (value.kind !== "map" || value.stubPath?.length === 0) return value;
  return value.stubPath === undefined ? mergeFields(value, environment) : mergeElsewhere(value, environment);
}

export function mergeFields(value: MapValue, environment: Environment): MapValue {
  const { stubs } = environment.document;
  const cells = [...value.cells].map(([key, cell]) => [key, mergeCell(cell, childOf(environment, key, key))] as const);
  const injected = injectedInto(stubs, pathNames(environment.stubPath), value.cells.keys()).map(
    ([key, cell]) => [key, injectedCell(cell, childOf(environment, key, key))] as const,
  );
  const merged = completeMap(new Map([...cells, ...injected]));
  merged.isDeep = [...cells, ...injected].every(([, cell]) => isComplete(cell));
  return merged;
}

function isComplete({ state, value }: Cell): boolean {
  const isOpen = typeof value === "object" && (value?.kind === "map" || value?.kind === "list") && !value.isDeep;
  return state === "done" && !isOpen;
}

/** Maps and lists in a list are merged by their key, or by their place; other entries stay. */
function mergeList(list: ListValue, environment: Environment): ListValue {
  const steps = stepsOf(list.items, list.keyField);
  const items = list.items.map((cell, index) => {
    const name = `[${index}]`;
    return isContainer(cell.value) ? mergeCell(cell, childOf(environment, name, steps[index] ?? name)) : cell;
  });
  const { entries } = injectedEntriesOf(environment.document.stubs, pathNames(environment.stubPath));
  const injected = entries.filter((cell) => !list.items.includes(cell));
  const merged = completeList([...injected, ...items], list.keyField);
  merged.isDeep = items.every(isComplete);
  return merged;
}

/** A part of a document with the stubs' values in place of its plain values. */
export function mergeScalars(source: Source, stubs: readonly Value[], path: readonly string[]): Source {
  if (source.kind === "scalar") {
    const found = findOverride(stubs, path);
    return found === undefined ? source : { ...source, value: found.value };
  }
  if (source.kind === "list") {
    const steps = writtenSteps(source.items, source.keyField);
    const items = source.items.map((item, index) => {
      const { kind } = item.source;
      if (item.isInsert || (kind !== "map" && kind !== "list")) return item;
      return { ...item, source: mergeScalars(item.source, stubs, [...path, steps[index] ?? `[${index}]`]) };
    });
    return { ...source, items, constant: undefined };
  }
  if (source.kind !== "map") return source;
  const entries = [...source.entries].map(([key, entry]) => [key, mergeScalars(entry, stubs, [...path, key])] as const);
  return { ...source, entries: new Map(entries), constant: undefined };
}
