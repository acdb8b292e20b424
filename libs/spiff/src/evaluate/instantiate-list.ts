import { isConstantControl } from "../document/constant.ts";
import type { ListItem, ListSource, Source } from "../document/source.ts";
import { Cell } from "../value/cell.ts";
import { ListValue, undefinedValue } from "../value/value.ts";
import { childOf, isMerged, pathNames, type Environment } from "./environment.ts";
import { force, settle } from "./force.ts";
import { injectedEntries } from "./merging/injected-fields.ts";
import { makeCell, moved } from "./instantiate.ts";
import { keyOf, stepsOf, uniqueSteps } from "./merging/list-steps.ts";
import { beside, MergeRecord } from "./merging/merge-record.ts";
import { mergeCell, mergeScalars } from "./merging/merge-stubs.ts";
import {
  isMergedLate,
  isMergedSource,
  isShaped,
  mergeAgain,
  mergeByPlaces,
  nameLate,
  unmergedEntry,
} from "./merging/merge-again.ts";
import { findInStubs, isContainer } from "./merging/stubs.ts";
import { spliceInsertions } from "./merging/splice-insertions.ts";
import { TagTable } from "./references/tags.ts";
import { entryName, isInserting, isMarked, isNamedOnceEvaluated, writtenSteps } from "./merging/written-keys.ts";

/** An entry or an insertion of a list. */
interface Entry {
  readonly cell: Cell;
  readonly item: ListItem;
}

/**
 * The nodes of a list. Stubs change maps and lists in it: by their keys, where all have one of their own, or by their
 * place. Keys can be expressions, and places depend on insertions; then the entries get their surroundings last.
 */
export function instantiateList(source: ListSource, environment: Environment): ListValue {
  const { items, keyField } = source;
  const list = new ListValue([], keyField);
  const steps = writtenSteps(items, keyField);
  const isInserted = items.some(({ isInsert, source: { kind } }) => isInsert || kind === "control");
  // Markers of an entry are taken off before stubs change it.
  const hasMarked = steps.length === 0 && items.some(isMarked);
  const isNamedLate =
    !isInserted &&
    isMerged(environment) &&
    (hasMarked ||
      isNamedOnceEvaluated(items, keyField) ||
      (steps.length === 0 && canBeNamed(items, environment, keyField)));
  // An insertion can have stubs change what they do not change around the list.
  const around = isInserted ? { ...environment, isUnmerged: false } : environment;
  const injected = isInserted
    ? []
    : injectedEntries(environment, items.length === 0 ? undefined : steps.length > 0 || isNamedLate);
  const isLate = !isInserted && isMerged(environment) && environment.isInBranch !== true && items.some(isMergedLate);
  const isOpen = isNamedLate || (injected.length > 0 && steps.length === 0);
  const isEarly = environment.isEarly === true || isOpen || (isLate && "preferring");
  const entries = items.map((item, index): Entry => {
    if (item.isInsert) return { item, cell: insertCell(item, index, environment) };
    const isPlain = !isMergedSource(item.source) && !isPreferring(item.source);
    const isMergedEntry = !isPlain && !(hasMarked && isMarked(item));
    const inner = isMergedEntry ? around : { ...around, isUnmerged: unmergedEntry(item.source) };
    const step = steps[index] ?? `[${index}]`;
    const cell = makeCell(item.source, childOf({ ...inner, isEarly }, `[${injected.length + index}]`, step));
    cell.isOfDefault = source.markers?.isDefault === true;
    return { item, cell };
  });
  if (isInserted) {
    const insertions = entries.filter(
      ({
        item: {
          isInsert,
          source: { kind },
        },
      }) => isInsert || kind === "control",
    );
    let isRunning = false;
    const complete = (): void => {
      // The key of an entry may need another entry of the list.
      if (isRunning) return;
      isRunning = true;
      try {
        completeList(list, { source, environment, entries, injected });
      } finally {
        isRunning = false;
      }
    };
    list.items = entries.map(({ cell }) => cell);
    list.pendingShape = { cells: insertions.map(({ cell }) => cell), complete };
  } else {
    list.items = [...injected, ...entries.map(({ cell }) => cell)];
    if (isNamedLate) {
      nameLate(list, environment, { items, writtenSteps: steps, cells: entries.map(({ cell }) => cell), injected });
    } else if (isMerged(environment)) {
      const isAlways = isLate || losesSteps(list, injected);
      if (isAlways || items.some(isInserting)) mergeAgain(list, environment, isAlways);
    }
  }
  return list;
}

/** Stubs can give the entries other keys. */
function canBeNamed(items: readonly ListItem[], { document, stubPath }: Environment, keyField = "name"): boolean {
  const hasKeys = items.every(({ source }) => source.kind === "map") && items.some((item) => hasKey(item, keyField));
  const value = hasKeys ? findInStubs(document.stubs, pathNames(stubPath))?.value : undefined;
  return typeof value === "object" && value?.kind === "list";
}

function hasKey({ source }: ListItem, keyField: string): boolean {
  return source.kind === "map" && source.entries.has(keyField);
}

/** Whether what is injected changes how the entries of the list are named. */
function losesSteps(list: ListValue, injected: readonly Cell[]): boolean {
  return injected.length > 0 && list.items.length > injected.length && stepsOf(list.items, list.keyField).length === 0;
}

function insertCell({ source, insertKey = "<<" }: ListItem, index: number, environment: Environment): Cell {
  const path = { parent: { parent: environment.path, name: `[${index}]` }, name: insertKey };
  return new Cell(null, { source, environment: { ...environment, path, record: new MergeRecord() } });
}

interface OpenList {
  readonly source: ListSource;
  readonly environment: Environment;
  readonly entries: readonly Entry[];
  readonly injected: readonly Cell[];
}

function completeList(list: ListValue, open: OpenList): void {
  const { source, environment, entries } = open;
  const insertions = entries.filter(({ item }) => item.isInsert);
  const record = joined(insertions);
  list.keyField = source.keyField ?? record.keyField;
  const taken = new Set(entries.flatMap((entry) => takenKeys(entry, open, list.keyField ?? "name")));
  if (record.isReplaced) {
    const results = insertions.filter(({ cell }) => cell.environment?.record?.isReplaced === true);
    spliceInsertions(list, { cells: results.map(({ cell }) => cell), taken });
    return;
  }
  spliceInsertions(list, { cells: entries.map(({ cell }) => cell), taken });
  list.items = [...open.injected, ...list.items];
  const around = beside(environment, record);
  if (environment.document.stubs.length > 0) {
    const own = new Set(entries.map(({ cell }) => cell));
    const inserted = new Set(list.items.filter((cell) => !own.has(cell)));
    const items = entries.map(({ item }) => item).filter(({ isInsert }) => !isInsert);
    const isAlways = environment.isInBranch !== true && items.some(isMergedLate);
    const isEarly = isAlways && around.isEarly !== true ? "preferring" : around.isEarly;
    matchEntries(list, { ...open, environment: { ...around, isEarly } }, record);
    if (isMerged(around) && (isAlways || items.some(isInserting))) mergeByPlaces(list, around, { inserted, isAlways });
  } else numberEntries(list, { ...open, environment: around });
}

/** The keys that an entry has before insertions are spliced in: those that are written, also in a control that waits for nothing. */
function takenKeys(entry: Entry, { environment }: OpenList, keyField: string): readonly string[] {
  const { cell, item } = entry;
  const isEarly = item.source.kind === "control" && isConstantControl(item.source);
  const results = isEarly ? entriesOf(cell).map((result) => keyOf(result, keyField)) : [];
  const own = isEarly ? keyOfEntry(entry, keyField, environment) : entryName(item, keyField);
  return [own, ...results].filter((key) => key !== undefined);
}

/** What all insertions say; the last one counts. */
function joined(insertions: readonly Entry[]): MergeRecord {
  const record = new MergeRecord();
  for (const { cell, item } of insertions) {
    const { record: own } = cell.environment ?? {};
    if (own === undefined || item.source.kind !== "expression" || !item.source.parsed.isMerging) continue;
    record.path = own.path;
    record.isNone = own.isNone;
    record.keyField = own.keyField ?? record.keyField;
    record.isMerged ||= own.isMerged;
    record.isMergedHere ||= own.isMerged && own.path === undefined;
    const isList = typeof cell.value === "object" && cell.value?.kind === "list";
    record.isReplaced ||= own.isReplaced && isList && item.source.markers === undefined;
  }
  return record;
}

/** Messages name entries by their place behind insertions. */
function numberEntries(list: ListValue, { environment, entries }: OpenList): void {
  const own = new Set(entries.map(({ cell }) => cell));
  list.items = list.items.map((cell, index) => {
    const name = `[${index}]`;
    const isMoved = own.has(cell) && cell.state === "new" && cell.environment?.path?.name !== name;
    return isMoved ? moved(cell, childOf(environment, name, name)) : cell;
  });
}

/** Gives the entries the places in stubs that they have among all entries. */
function matchEntries(list: ListValue, { environment, entries }: OpenList, record: MergeRecord): void {
  const field = list.keyField ?? "name";
  const own = new Map(entries.map((entry) => [entry.cell, entry] as const));
  const keyOfItem = (cell: Cell): string | undefined => {
    const entry = own.get(cell);
    return entry === undefined ? keyOf(cell, field) : keyOfEntry(entry, field, environment);
  };
  const keys = list.items.map(keyOfItem);
  const steps = list.keyField === "" ? [] : uniqueSteps(keys, field);
  // Two entries with one key go by their places, where the document does not write all keys of its own.
  const isKept =
    record.isMergedHere && (keys.includes(undefined) || !entries.some(({ item }) => hasKeyExpression(item, field)));
  const { stubPath, mergePath = stubPath } = environment;
  const path = pathNames(stubPath);
  const given = new Set(entries.flatMap(({ cell, item }) => (item.source.kind === "control" ? entriesOf(cell) : [])));
  const isNamedLate =
    steps.length > 0 && isMerged(environment) && entries.some(({ item }) => hasInsertedKey(item, field));
  list.items = list.items.map((cell, index) => {
    const entry = own.get(cell);
    if (entry === undefined && given.has(cell) && isMerged(environment) && isContainer(cell.value)) {
      return mergeCell(cell, childOf(environment, `[${index}]`, steps[index] ?? `[${index}]`));
    }
    if (entry === undefined) return cell;
    const name = `[${index}]`;
    if (!isPlaced(entry.item.source)) return numbered(cell, childOf(environment, name, steps[index] ?? name));
    const isUnmerged = environment.isUnmerged || (steps.length === 0 && isKept);
    const around = { ...environment, isUnmerged };
    const absent = entry.item.source.kind === "control" ? 0 : absentBefore(entry, entries);
    const inner = {
      ...childOf(around, name, steps[index] ?? name),
      ...(absent === 0 ? {} : { mergePath: { parent: mergePath, name: `[${index + absent}]` } }),
    };
    if (!isNamedLate) return moved(cell, inner);
    const source = mergeScalars(entry.item.source, environment.document.stubs, [...path, `[${index}]`]);
    return new Cell(null, { source, environment: inner });
  });
}

/** How many controls before an entry give nothing. Where merges are looked up, they still have a place. */
function absentBefore({ cell }: Entry, entries: readonly Entry[]): number {
  const before = entries.slice(
    0,
    entries.findIndex((entry) => entry.cell === cell),
  );
  return before.filter(({ cell: { source, value } }) => source?.kind === "control" && value === undefinedValue).length;
}

/** An entry that stubs do not change, by its place behind insertions. */
function numbered(cell: Cell, { path, stubPath }: Environment): Cell {
  if (cell.state === "new" && cell.environment !== undefined)
    cell.environment = { ...cell.environment, path, stubPath };
  return cell;
}

/** Those of the list that a control gives. */
function entriesOf({ value }: Cell): readonly Cell[] {
  return typeof value === "object" && value?.kind === "list" ? value.items : [];
}

/** The key of an entry; of an expression or a control, the entry is evaluated apart, as stubs do not change it. */
function keyOfEntry(
  { cell: { environment: own }, item }: Entry,
  field: string,
  around: Environment,
): string | undefined {
  const written = entryName(item, field);
  const { source } = item;
  const isControl = source.kind === "control";
  if (written !== undefined || (source.kind !== "map" && !isControl)) return written;
  const document = { ...around.document, tags: new TagTable() };
  const apart = { ...(isControl && own !== undefined ? own : around), document, isUnmerged: true };
  const cell = new Cell(null, { source: item.source, environment: apart });
  return settle(document.nesting, () => {
    force(cell);
    return isShaped(cell, field) ? keyOf(cell, field) : undefined;
  });
}

/** Until its insertion is evaluated, the entry goes by its place: stubs change its plain values there, all else by its key. */
function hasInsertedKey({ source }: ListItem, field: string): boolean {
  return source.kind === "map" && source.insert !== undefined && !source.entries.has(field);
}

function hasKeyExpression({ source }: ListItem, field: string): boolean {
  return source.kind === "map" && source.entries.get(field)?.kind === "expression";
}

/** Its value is merged as a map or list is. */
function isPreferring(source: Source): boolean {
  return source.kind === "expression" && source.parsed.whole?.kind === "prefer";
}

/** What it looks for in stubs depends on its place. */
function isPlaced(source: Source): boolean {
  const isMerge = source.kind === "expression" && source.parsed.isMerging && source.markers?.isTemplate !== true;
  return isMergedSource(source) || isMerge;
}
