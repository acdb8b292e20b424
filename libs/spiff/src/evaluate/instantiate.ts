import { isConstant, isConstantControl } from "../document/constant.ts";
import { joinMarkers, withoutInjection } from "../document/markers.ts";
import type { Merge } from "../syntax/expression.ts";
import type { ListSource, MapSource, Source } from "../document/source.ts";
import { Cell } from "../value/cell.ts";
import { MapValue, typeName, undefinedValue, type Value } from "../value/value.ts";
import { childOf, isInjecting, isMerged, pathNames, type Environment, type Path } from "./environment.ts";
import { failLocally } from "./failure.ts";
import { force } from "./force.ts";
import { addInjected } from "./merging/injected-fields.ts";
import { instantiateList } from "./engine.ts";
import { beside, elsewhere, MergeRecord } from "./merging/merge-record.ts";
import { mergeCell } from "./merging/merge-stubs.ts";
import { findOverride } from "./merging/stubs.ts";
import { registerTags } from "./references/tags.ts";

/** Makes the nodes of a part of a document, which are evaluated when needed. `host` takes over the markers of what is merged. */
export function instantiate(source: MapSource | ListSource, environment: Environment, host?: Cell): Value {
  if (!isInjecting(environment) && source.constant !== undefined) return source.constant;
  return source.kind === "map" ? instantiateMap(source, environment, host) : instantiateList(source, environment);
}

function instantiateMap(source: MapSource, environment: Environment, host: Cell | undefined): MapValue {
  if (source.problem !== undefined) failLocally(source.problem);
  const map = new MapValue(new Map());
  const scope = { kind: "map", map, parent: environment.scope } as const;
  const around = { ...(source.insertKey === "" ? environment : oneStepLater(environment)), scope };
  const { insert } = source;
  const inner = insert === undefined ? around : { ...around, ...lookup(insert, environment) };
  // A merge can have stubs change fields that they do not change around the map.
  const make = insert !== undefined && isMerging(insert) ? makeOpenCell : makeCell;
  for (const [key, entry] of source.entries) {
    const cell = make(entry, childOf(inner, key, key));
    cell.isOfDefault = source.markers?.isDefault === true;
    map.cells.set(key, cell);
  }
  const { mergePath } = around;
  if (mergePath !== undefined) addInjected(map, { ...around, stubPath: mergePath });
  addInjected(map, around);
  if (insert === undefined) return map;
  if (inner.stubPath !== around.stubPath) addInjected(map, inner);
  const path: Path = { parent: environment.path, name: source.insertKey };
  const record = new MergeRecord();
  const cell = new Cell(null, {
    source: insert,
    environment: { ...insertPlace(source, environment), scope, path, record },
  });
  // Expressions beside it have values one step later: by then, stubs have changed what a branch inserts.
  const isInBranch = environment.isInBranch === true && [...source.entries.values()].every(isConstant);
  let isPlaced = false;
  const complete = (): void => {
    const found = beside(around, record);
    const given = record.isReplaced ? undefined : withoutInjection(record.markers);
    if (host !== undefined && given !== undefined) host.markers = joinMarkers(host.markers, given);
    map.stubPath = record.isNone || record.isReplaced ? [] : record.path;
    const isReplaced =
      isInjecting(found) && record.isReplaced && insert.kind === "expression" && insert.markers === undefined;
    if (isReplaced) map.cells.clear();
    const isMoved = !isPlaced && (found.stubPath !== inner.stubPath || found.isUnmerged !== inner.isUnmerged);
    // What follows can start over, and must find the same fields then.
    isPlaced = true;
    if (isMoved) for (const [key, field] of map.cells) map.cells.set(key, moved(field, childOf(found, key, key)));
    // What replaces all fields stays as the stub has it, also dynamic maps.
    insertInto(map, cell.value, { ...found, path, isUnmerged: isReplaced || found.isUnmerged, isInBranch });
    if (isReplaced) addInjected(map, found);
  };
  map.pendingShape = { cells: [cell], complete };
  return map;
}

/** Where an insertion looks into stubs: what is marked in the body of a loop looks where none has anything. */
function insertPlace({ insert, insertKey }: MapSource, environment: Environment): Environment {
  if (environment.isBody !== true || insert?.markers === undefined) return environment;
  return { ...environment, isBody: false, stubPath: { parent: environment.stubPath, name: insertKey } };
}

/** Fields beside an insertion are evaluated after it: by then, the list entry around can have another key. */
function oneStepLater(environment: Environment): Environment {
  const { latePath, stubPath } = environment;
  return latePath === undefined ? environment : { ...environment, stubPath: latePath, mergePath: stubPath };
}

/** A node in other surroundings: itself when it is not evaluated yet. */
export function moved(cell: Cell, environment: Environment): Cell {
  if (cell.source === undefined || cell.environment === undefined) return cell;
  if (cell.state === "new") {
    cell.environment = environment;
    return cell;
  }
  const again = makeOpenCell(cell.source, environment);
  again.isOfDefault = cell.isOfDefault;
  return again;
}

function insertInto(map: MapValue, value: Value, environment: Environment): void {
  if (value === null) return;
  const insertKey = environment.path?.name ?? "<<";
  if (typeof value !== "object" || (value.kind !== "map" && value.kind !== "undefined")) {
    failLocally(`require map value for '${insertKey}' insert, found '${typeName(value)}'`);
  }
  if (value.kind === "undefined" || value.isRemoved) {
    map.isRemoved = true;
    return;
  }
  for (const [key, cell] of value.cells) {
    if (isHidden(map.cells.get(key))) continue;
    map.cells.set(key, mergedEntry(cell, key, environment));
  }
}

/** A written field hides an inserted entry, but not a control that is known before to have no branch for its value. */
function isHidden(written: Cell | undefined): boolean {
  if (written?.source?.kind !== "control" || written.source.control !== "if") return written !== undefined;
  if (!isConstantControl(written.source)) return true;
  force(written);
  return !written.isAbsent;
}

/** Stubs change inserted entries as they change written ones. */
function mergedEntry(cell: Cell, key: string, environment: Environment): Cell {
  if (!isMerged(environment) || environment.isInBranch === true) return cell;
  if (environment.isEarly === true || cell.state !== "done") return cell;
  return mergeCell(cell, childOf({ ...environment, path: environment.path?.parent }, key, key));
}

/** A node of a document, not evaluated yet. */
export function makeCell(source: Source, environment: Environment): Cell {
  if (!isInjecting(environment)) {
    if (source.kind === "scalar" && source.markers === undefined) return new Cell(source.value);
    if ((source.kind === "map" || source.kind === "list") && source.constant !== undefined) {
      return new Cell(source.constant);
    }
  }
  return makeOpenCell(source, environment);
}

/** The same, which can get other surroundings. */
function makeOpenCell(source: Source, environment: Environment): Cell {
  const cell = new Cell(null, { source, environment });
  if (source.markers !== undefined && !isReplaced(source, environment)) registerTags(source.markers, cell, environment);
  return cell;
}

/** A node of a stub without tags takes the place of the expression: it defines none. */
function isReplaced(source: Source, environment: Environment): boolean {
  if (source.kind !== "expression" || source.parsed.isMerging || environment.isEarly === true) return false;
  if (!isMerged(environment) || (source.markers?.isDynamic === true && source.markers.isTemplate)) return false;
  const found = findOverride(environment.document.stubs, pathNames(environment.stubPath));
  return found !== undefined && found.value !== undefinedValue && (found.markers?.tags ?? []).length === 0;
}

function isMerging(insert: Source): boolean {
  return insert.kind === "expression" && insert.parsed.isMerging;
}

/** Where fields look into stubs while the merge beside them is not evaluated. */
export function redirect(insert: Source): Partial<Environment> {
  const merge = mergeOf(insert);
  if (merge === undefined) return {};
  if (merge.mode === "none") return { isUnmerged: "injecting" };
  return merge.path.length > 0 ? elsewhere(merge.path) : {};
}

/** Below a list entry whose place is not the final one, stubs do not change what stands beside insertions. */
function lookup(insert: Source, { isEarly, path }: Environment): Partial<Environment> {
  const isBelowEntry = isEarly === true && path?.name.startsWith("[") !== true;
  return isBelowEntry && !isMerging(insert) ? { isUnmerged: true } : redirect(insert);
}

function mergeOf(source: Source): Merge | undefined {
  if (source.kind !== "expression") return undefined;
  let { expression } = source.parsed;
  while (expression?.kind === "or" || expression?.kind === "group") {
    expression = expression.kind === "or" ? expression.left : expression.inner;
  }
  return expression?.kind === "merge" ? expression : undefined;
}
