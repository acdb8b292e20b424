import type { Expression, Merge } from "../syntax/expression.ts";
import type { ListSource, MapSource, Source } from "../document/source.ts";
import { Cell } from "../value/cell.ts";
import { ListValue, MapValue, typeName, type Value } from "../value/value.ts";
import { childOf, isMerged, pathNames, pathOf, type Environment, type Path } from "./environment.ts";
import { failLocally } from "./failure.ts";
import { addInjected } from "./injected-fields.ts";
import { mergeStubs } from "./merge-stubs.ts";
import { spliceInsertions } from "./splice-insertions.ts";
import { registerTags } from "./tags.ts";

/** Makes the nodes of a part of a document; they are evaluated when needed. */
export function instantiate(source: MapSource | ListSource, environment: Environment): Value {
  if (!isMerged(environment) && source.constant !== undefined) return source.constant;
  return source.kind === "map" ? instantiateMap(source, environment) : instantiateList(source, environment);
}

function instantiateMap(source: MapSource, environment: Environment): MapValue {
  if (source.problem !== undefined) failLocally(source.problem);
  const map = new MapValue(new Map());
  const merge = mergeOf(source.insert);
  const around = { ...environment, scope: { kind: "map", map, parent: environment.scope } } as const;
  const inner = merge === undefined ? around : { ...around, ...redirect(merge, environment) };
  if (merge?.mode !== "replace") {
    for (const [key, entry] of source.entries) map.cells.set(key, makeCell(entry, childOf(inner, key, key)));
  }
  addInjected(map, inner);
  if (source.insert === undefined) return map;
  const insertPath: Path = { parent: environment.path, name: source.insertKey };
  const cell = new Cell(null, { source: source.insert, environment: { ...around, path: insertPath } });
  map.pendingShape = { cells: [cell], complete: () => insertInto(map, cell.value, { ...inner, path: insertPath }) };
  return map;
}

function insertInto(map: MapValue, value: Value, environment: Environment): void {
  if (value === null) return;
  const insertKey = environment.path?.name ?? "<<";
  if (typeof value !== "object" || (value.kind !== "map" && value.kind !== "undefined")) {
    failLocally(`require map value for '${insertKey}' insert, found '${typeName(value)}'`);
  }
  if (value.kind === "undefined") {
    map.isRemoved = true;
    return;
  }
  for (const [key, cell] of value.cells)
    if (!map.cells.has(key)) map.cells.set(key, mergedEntry(cell, key, environment));
}

/** Stubs change inserted entries as they change written ones. */
function mergedEntry(cell: Cell, key: string, environment: Environment): Cell {
  const { document, stubPath } = environment;
  if (!isMerged(environment) || cell.state !== "done") return cell;
  const merged = new Cell(mergeStubs(cell.value, document.stubs, [...pathNames(stubPath), key]));
  merged.markers = cell.markers;
  return merged;
}

function instantiateList(source: ListSource, environment: Environment): ListValue {
  const merges = source.items.flatMap((item) => (item.isInsert ? (mergeOf(item.source) ?? []) : []));
  const [merge] = merges;
  const keyField = source.keyField ?? merges.find((found) => found.keyField !== undefined)?.keyField;
  const list = new ListValue([], keyField);
  const hasInsertions = source.items.some((item) => item.isInsert);
  const areMaps = source.items.every(
    ({ isInsert, source: item }) => isInsert || item.kind === "map" || item.kind === "control",
  );
  const around = merge === undefined ? environment : { ...environment, ...redirect(merge, environment) };
  const names = source.items.map((item) => (item.isInsert ? undefined : entryName(item.source, keyField)));
  const isKeyed = source.items.every((item, index) => item.isInsert || names[index] !== undefined);
  const isMatched = areMaps && (isKeyed || !hasInsertions);
  const inner = isMatched ? around : { ...around, isUnmerged: true };
  const cells = source.items.map((item, index) => {
    const name = `[${index}]`;
    if (!item.isInsert) {
      const step = isKeyed ? `${keyField ?? "name"}:${names[index] ?? ""}` : name;
      return makeCell(item.source, childOf(inner, name, step));
    }
    const path: Path = { parent: { parent: environment.path, name }, name: "<<" };
    return new Cell(null, { source: item.source, environment: { ...environment, path } });
  });
  const insertions = cells.filter((_, index) => {
    const item = source.items[index];
    return item?.isInsert === true || item?.source.kind === "control";
  });
  if (insertions.length === 0) list.items = cells;
  else {
    const isReplaced = merges.some(({ mode }) => mode === "replace");
    const complete = (): void => {
      spliceInsertions(list, cells, new Set(insertions));
      if (isReplaced) list.items = list.items.filter((cell) => !cells.includes(cell));
    };
    list.pendingShape = { cells: insertions, complete };
  }
  return list;
}

/** The key value of a list entry, where the document writes it as text. */
export function entryName(source: Source, keyField: string | undefined): string | undefined {
  if (source.kind !== "map" || keyField === "") return undefined;
  const key = source.entries.get(keyField ?? "name");
  return key?.kind === "scalar" && typeof key.value === "string" ? key.value : undefined;
}

/** A node of a document, not evaluated yet. */
export function makeCell(source: Source, environment: Environment): Cell {
  if (!isMerged(environment)) {
    if (source.kind === "scalar" && source.markers === undefined) return new Cell(source.value);
    if ((source.kind === "map" || source.kind === "list") && source.constant !== undefined) {
      return new Cell(source.constant);
    }
  }
  const cell = new Cell(null, { source, environment });
  if (source.markers !== undefined) registerTags(source.markers, cell, environment);
  return cell;
}

/** The merge that an insert key asks for, also with alternatives behind it. */
export function mergeOf(source: Source | undefined): Merge | undefined {
  if (source?.kind !== "expression") return undefined;
  let expression: Expression | undefined = source.parsed.expression;
  while (expression?.kind === "or") expression = expression.left;
  return expression?.kind === "merge" ? expression : undefined;
}

/** Where the fields of a map with this merge look into stubs. */
function redirect(merge: Merge, environment: Environment): Partial<Environment> {
  if (merge.mode === "none") return { isUnmerged: true };
  return { stubPath: merge.path.length > 0 ? pathOf(merge.path) : environment.stubPath };
}
