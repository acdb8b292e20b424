import type { ListItem, Source } from "../../document/source.ts";
import { Cell } from "../../value/cell.ts";
import { isGone, MapValue, type ListValue, type Value } from "../../value/value.ts";
import { childOf, pathNames, type Environment, type Path } from "../environment.ts";
import { EvaluationFailure } from "../failure.ts";
import { completeShape, force, requireDeep } from "../force.ts";
import { moved } from "../instantiate.ts";
import { keyOf, stepsOf, uniqueSteps } from "./list-steps.ts";
import { mergeCell, mergeScalars } from "./merge-stubs.ts";
import { findOverride, isContainer, isKept } from "./stubs.ts";
import { entryName, isInserting, writtenKey } from "./written-keys.ts";

type Steps = readonly (string | undefined)[];

/** Stubs can give entries other keys, by which stubs change them again, but not for ever. */
const maxRounds = 6;

/**
 * What expressions give is merged as maps and lists are. Injected entries and undefined ones that go away give the others
 * new places, or take them their keys, and so do stubs that change keys: then the list is merged by its written places or
 * keys, and once more by those that it has in the end.
 */
export function mergeAgain(list: ListValue, environment: Environment, isAlways: boolean): void {
  let isRunning = false;
  const complete = (): void => {
    // An entry may need another one of the list.
    if (isRunning) return;
    isRunning = true;
    const { length } = list.items;
    const items = shapedItems(list);
    if (isAlways || items.length < length) mergeRounds(list, environment, stepsOf(items, list.keyField));
  };
  list.pendingShape = { cells: [], complete };
}

/** The entries that stay, with their keys. */
function shapedItems(list: ListValue): readonly Cell[] {
  list.items = list.items.filter(({ source }) => source === undefined || !isUndefined({ source }));
  completeKeys(list);
  list.items = list.items.filter(({ state, value }) => state !== "done" || !isGone(value));
  return list.items;
}

/** Evaluates the insertions of the entries, which can give them their keys. */
function completeKeys(list: ListValue): void {
  for (const cell of list.items) {
    force(cell);
    isShaped(cell, "list");
  }
}

/** Merges the entries by their steps, until stubs give them no others. */
function mergeRounds(list: ListValue, environment: Environment, first: Steps): void {
  let steps = first;
  for (let round = 0; round < maxRounds; round++) {
    const current = steps;
    list.items = list.items.map((cell, index) => {
      const name = `[${index}]`;
      return mergedAgain(cell, childOf(environment, name, current[index] ?? name), list.keyField ?? "name");
    });
    completeKeys(list);
    steps = stepsOf(list.items, list.keyField);
    if (steps.join() === current.join()) return;
  }
}

/** Once more by the places that own entries have when others have gone away. */
export function mergeByPlaces(list: ListValue, environment: Environment, { inserted, isAlways }: Places): void {
  const { length } = list.items;
  const items = shapedItems(list);
  if (!isAlways && items.length === length) return;
  const steps = stepsOf(items, list.keyField);
  list.items = items.map((cell, index) => {
    const name = `[${index}]`;
    const inner = childOf(environment, name, steps[index] ?? name);
    return inserted.has(cell) ? cell : mergedAgain(cell, inner, list.keyField ?? "name");
  });
}

interface Places {
  /** The entries that stand in place of insertions. */
  readonly inserted: ReadonlySet<Cell>;
  /** Also when none has gone away. */
  readonly isAlways: boolean;
}

interface LateList {
  /** The entries that the document writes, by their written keys. */
  readonly items: readonly ListItem[];
  readonly writtenSteps: Steps;
  readonly cells: readonly Cell[];
  readonly injected: readonly Cell[];
}

/**
 * Keys that are expressions are known after plain values and the paths of merges have been looked up by the written keys, those
 * beside insertions yet one step later. Stubs see an entry under each of the keys, one after the other.
 */
export function nameLate(list: ListValue, environment: Environment, late: LateList): void {
  const { items, writtenSteps, cells, injected } = late;
  let isRunning = false;
  const complete = (): void => {
    // The key of an entry may need another entry of the list.
    if (isRunning) return;
    isRunning = true;
    const field = list.keyField ?? "name";
    const stepsBy = (keys: Steps): Steps =>
      list.keyField === "" ? [] : uniqueSteps([...injected.map((cell) => keyOf(cell, field)), ...keys], field);
    const evaluated = cells.map((cell) => {
      force(cell);
      return isShaped(cell, field) ? keyOf(cell, field) : undefined;
    });
    const second = stepsBy(
      items.map((item, index) => (isInserting(item) ? writtenKey(item, list.keyField) : evaluated[index])),
    );
    const stepOf = (steps: Steps, index: number): string =>
      steps[injected.length + index] ?? `[${injected.length + index}]`;
    const third = stepsBy(
      items.map((item, index) => {
        const isOpen = isInserting(item) && entryName(item, list.keyField) === undefined;
        if (isOpen) return evaluated[index];
        const key = isInserting(item) ? entryName(item, list.keyField) : evaluated[index];
        if (item.source.kind !== "map" || !item.source.entries.has(field)) return undefined;
        return keyIn(environment, [stepOf(second, index), field], key);
      }),
    );
    const below = (path: Path | undefined, name: string): Path => ({ parent: path, name });
    // Injected entries give the others new places: stubs see their plain values at the first ones, too.
    const isShifted = injected.length > 0 && second.length === 0 && writtenSteps.length === 0 && list.keyField !== "";
    const byFirstPlace = (cell: Cell, index: number): Cell => {
      if (!isShifted || cell.source === undefined || cell.environment === undefined) return cell;
      const path = [...pathNames(environment.stubPath), `[${index}]`];
      const source = mergeScalars(cell.source, environment.document.stubs, path);
      return new Cell(null, { source, environment: cell.environment });
    };
    const own = cells.map((cell, index) => {
      const { source } = cell;
      if (source === undefined || isUnnamed(cell, field)) return cell;
      const name = `[${injected.length + index}]`;
      const { stubPath, mergePath = stubPath, latePath = stubPath } = environment;
      const isUnmerged = isMergedSource(source) ? environment.isUnmerged : unmergedEntry(source);
      const inner = childOf({ ...environment, isUnmerged, isEarly: "preferring" }, name, stepOf(second, index));
      return moved(byFirstPlace(cell, index), {
        ...inner,
        mergePath: below(mergePath, writtenSteps[index] ?? `[${index}]`),
        latePath: below(latePath, stepOf(third, index)),
      });
    });
    list.items = [...injected, ...own];
    if (environment.isInBranch === true) return;
    mergeRounds(list, environment, third);
    const { length } = list.items;
    const staying = shapedItems(list);
    if (staying.length < length) mergeRounds(list, environment, stepsOf(staying, list.keyField));
  };
  list.pendingShape = { cells: [], complete };
}

/** The key of an entry behind a step at which stubs can have given it another one. */
function keyIn(
  { document, stubPath }: Environment,
  below: readonly string[],
  key: string | undefined,
): string | undefined {
  const found = findOverride(document.stubs, [...pathNames(stubPath), ...below]);
  if (found === undefined) return key;
  return typeof found.value === "string" ? found.value : undefined;
}

/** The expression of its key has no value: the original waits for it. */
function isUnnamed({ value }: Cell, field: string): boolean {
  if (!(value instanceof MapValue)) return false;
  const key = value.cells.get(field);
  return key?.state === "failed" && key.source?.kind === "expression";
}

function mergedAgain(cell: Cell, environment: Environment, keyField: string): Cell {
  force(cell);
  if (cell.state !== "done" || isGone(cell.value) || !isContainer(cell.value) || isKept(cell)) return cell;
  if (cell.environment?.isEarly === true && isUnnamed(cell, keyField)) return cell;
  const mergePath = cell.environment?.mergePath ?? cell.environment?.stubPath;
  // An undefined field goes away, but not before stubs have been asked for it at its final place.
  if (cell.environment?.isEarly === true && cell.source !== undefined && holdsUndefined(cell.source)) {
    return moved(cell, { ...environment, mergePath });
  }
  const value = deepValue(cell.value, "list");
  if (value !== undefined && isGone(value)) return cell;
  if (value === undefined) {
    const latePath = environment.stubPath;
    return cell.source?.kind === "expression" ? cell : moved(cell, { ...environment, mergePath, latePath });
  }
  const entry = new Cell(value);
  entry.markers = cell.markers;
  return mergeCell(entry, environment);
}

/** Stubs change it below, or as a whole, where it is an entry of a list. */
export function isMergedSource({ kind, markers }: Source): boolean {
  if (markers?.isTemplate === true) return false;
  return kind === "map" || kind === "list" || kind === "control";
}

/** How an entry stands that stubs do not change: maps and lists that are templates still have their markers. */
export function unmergedEntry({ kind, markers }: Source): NonNullable<Environment["isUnmerged"]> {
  return (kind === "map" || kind === "list") && markers?.isTemplate === true ? "injecting" : true;
}

/** What an expression gives is merged where the list has it; what goes away changes the places. */
export function isMergedLate(item: ListItem): boolean {
  if (isUndefined(item)) return true;
  const { kind, markers } = item.source;
  return kind === "expression" && (markers?.isTemplate !== true || markers.isDynamic);
}

export function isUndefined({ source }: Pick<ListItem, "source">): boolean {
  const isExpression = source.kind === "expression" && source.markers?.isTemplate !== true;
  return isExpression && source.parsed.expression?.kind === "undefined";
}

function holdsUndefined(source: Source): boolean {
  if (source.kind === "map") return [...source.entries.values()].some(holdsUndefined);
  return source.kind === "list" ? source.items.some((item) => holdsUndefined(item.source)) : isUndefined({ source });
}

/** Undefined for a value with nodes that fail, which are told where they are. */
function deepValue(value: Value, name: string): Value | undefined {
  try {
    return requireDeep(value, name);
  } catch (error) {
    if (error instanceof EvaluationFailure) return undefined;
    throw error;
  }
}

/** Whether the keys of an entry are known; false while its insertion has no value. */
export function isShaped({ state, value }: Cell, name: string): boolean {
  if (state !== "done" || !(value instanceof MapValue)) return false;
  try {
    completeShape(value, name);
    return true;
  } catch (error) {
    if (error instanceof EvaluationFailure) return false;
    throw error;
  }
}
