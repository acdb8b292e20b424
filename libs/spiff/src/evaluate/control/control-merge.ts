import { joinMarkers } from "../../document/markers.ts";
import { Cell } from "../../value/cell.ts";
import { isGone, MapValue, typeName, undefinedValue, type Value } from "../../value/value.ts";
import type { Control } from "./control.ts";
import { optionValue, ownValue } from "./control-options.ts";
import { EvaluationFailure, failLocally } from "../failure.ts";
import { completeShape, force, requireDeep } from "../force.ts";
import { stepsOf } from "../merging/list-steps.ts";
import { findOverride, isDynamicExpression } from "../merging/stubs.ts";

/** Stubs take the place of fields that fail by themselves, also in the entries of a list. */
export function replaceFailed(value: Value, stubs: readonly Value[], path: readonly string[]): void {
  if (typeof value !== "object" || value === null) return;
  if (value.kind === "map") replaceFields(value, stubs, path);
  if (value.kind !== "list" || value.isDeep) return;
  completeShape(value, "control");
  const steps = stepsOf(value.items, value.keyField);
  for (const [index, cell] of value.items.entries()) {
    force(cell);
    if (cell.state === "done") replaceFailed(cell.value, stubs, [...path, steps[index] ?? `[${index}]`]);
  }
}

function replaceFields(map: MapValue, stubs: readonly Value[], path: readonly string[]): void {
  if (map.isDeep) return;
  completeShape(map, "control");
  for (const [key, cell] of map.cells) {
    const below = [...path, key];
    force(cell);
    if (cell.state === "done" && typeof cell.value === "object" && cell.value?.kind === "map") {
      replaceBelow(cell.value, stubs, below);
    }
    const isFailed = cell.state === "failed" && cell.failure?.tag === "*" && cell.failure.isStuck !== true;
    const isOpen = isFailed && !isDynamicExpression(cell);
    const found = isOpen ? findOverride(stubs, below) : undefined;
    if (found === undefined) continue;
    const replaced = new Cell(found.value);
    replaced.markers = joinMarkers(cell.markers, found.markers);
    map.cells.set(key, replaced);
  }
}

/** A field without keys is told where it is, and the control waits for it. */
function replaceBelow(map: MapValue, stubs: readonly Value[], path: readonly string[]): void {
  try {
    replaceFields(map, stubs, path);
  } catch (error) {
    throw error instanceof EvaluationFailure ? new EvaluationFailure({ ...error.failure, isStuck: true }) : error;
  }
}

/** What <<merge merges. Controls in its maps that fail by themselves are fields of the result: stubs can replace them there. */
function mergedValue(control: Control): Value {
  const cell = control.options.get("merge");
  control.isStuck = true;
  const value = cell === undefined ? undefinedValue : ownValue(cell);
  if (typeof value !== "object" || value?.kind !== "map" || value.isDeep) return optionValue(control, "merge");
  completeShape(value, "<<merge");
  const failed = [...value.cells].filter(([, field]) => {
    force(field);
    const { tag, at, isStuck } = field.failure ?? {};
    return field.source?.kind === "control" && tag === "*" && isStuck !== true && (at === undefined || at === field);
  });
  if (failed.length === 0 || isGone(value)) return optionValue(control, "merge");
  const failing = new Map(failed);
  const rest = new MapValue(new Map([...value.cells].filter(([key]) => !failing.has(key))));
  requireDeep(rest, "<<merge");
  control.isStuck = false;
  for (const [key, { environment }] of failed) {
    const place = { parent: control.inner.path, name: key };
    if (environment?.path !== undefined) environment.path.place = { path: place };
  }
  return new MapValue(new Map([...rest.cells, ...failing]));
}

/** The plain fields with the fields of the maps over them; later ones win. */
export function mergeMaps(control: Control): Value {
  const merged = new MapValue(new Map(control.host.cells));
  const value = mergedValue(control);
  if (value !== undefinedValue && isGone(value)) return undefinedValue;
  const isList = typeof value === "object" && value?.kind === "list";
  const items = isList ? value.items.map((item) => item.value) : [value];
  for (const [index, item] of items.entries()) {
    if (item === null || item === undefinedValue) continue;
    if (typeof item !== "object" || item.kind !== "map") {
      const found = typeName(item);
      return failLocally(isList ? `entry ${index}: invalid entry type: ${found}` : `invalid value type: ${found}`);
    }
    for (const [key, cell] of item.cells) merged.cells.set(key, cell);
  }
  return merged;
}
