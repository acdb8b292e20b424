import { completeList } from "../../value/build-value.ts";
import { Cell } from "../../value/cell.ts";
import { ListValue, MapValue, type Value } from "../../value/value.ts";
import { isElsewhere } from "../references/keyed-path.ts";
import { stepInto } from "../references/step-into.ts";

/** The node at a path of the first stub that has it, but no field of a default. Stubs are complete values. */
export function findInStubs(stubs: readonly Value[], path: readonly string[]): Cell | undefined {
  for (const stub of stubs) {
    const found = findIn(stub, path, false);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What expressions find in stubs: only the stub itself knows the field that names the entries of a list. */
export function withoutKeyField(value: Value): Value {
  if (typeof value !== "object" || value?.kind !== "list" || value.keyField === undefined) return value;
  const list = completeList(value.items, undefined);
  list.isDeep = value.isDeep;
  return list;
}

/** The same, but nothing that is a default, or stands in one: that never overrides. */
export function findOverride(stubs: readonly Value[], path: readonly string[]): Cell | undefined {
  const [nearest] = stubs;
  if (path.length === 0) return nearest === undefined ? undefined : new Cell(nearest);
  let passed: Cell | undefined;
  for (const stub of stubs) {
    const found = findAt(stub, path, true);
    if (found === undefined) continue;
    const isDefault = found.markers?.isDefault === true && !found.markers.isInjected && !found.wasInjected;
    if (found.isOfDefault) {
      // It overrides nothing, but ends the search as other defaults do.
      if (isDefault && isKeptDefault(found)) return undefined;
      continue;
    }
    if (!isDefault) {
      // The list entry around a default can have another key than that of the farther stub.
      if (passed !== undefined && !isContainer(passed.value) && passed.value !== found.value) return undefined;
      // A dynamic default can have the template of a farther stub, which is evaluated then.
      return passed?.dynamic === found.value ? passed : found;
    }
    // A farther stub has taken the place of a simple default or template, but not of a map, list, merge or dynamic expression.
    if (isKeptDefault(found)) return undefined;
    passed ??= found;
  }
  return undefined;
}

/** The same or a default: its markers count, though its value does not. */
export function findMarking(stubs: readonly Value[], path: readonly string[]): Cell | undefined {
  if (path.length === 0) return findOverride(stubs, path);
  for (const stub of stubs) {
    const found = findIn(stub, path, true);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** In its own document, a dynamic expression has the value that its template gives. */
export function isDynamicExpression({ source }: Cell): boolean {
  return source?.kind === "expression" && source.markers?.isDynamic === true && source.markers.isTemplate;
}

function isKeptDefault(found: Cell): boolean {
  const isDynamicBranch = found.source?.kind === "control" && found.dynamic !== undefined;
  if (isDynamicBranch || isDynamicExpression(found) || isMerge(found)) return true;
  return isContainer(found.value) && !isReplaceable(found);
}

function isMerge({ source, isReplaced }: Cell): boolean {
  return source?.kind === "expression" && source.parsed.isMerging && source.markers?.isTemplate !== true && !isReplaced;
}

/** Whether a farther stub takes the place of the node as a whole, or has done so. */
export function isReplaceable({ source, value, isReplaced }: Cell): boolean {
  if (isReplaced) return true;
  if (source?.kind === "control") return typeof value !== "object" || value?.kind !== "map";
  if (source?.kind === "map" || source?.kind === "list") return source.markers?.isTemplate === true;
  return source !== undefined;
}

export function isContainer(value: Value): boolean {
  return typeof value === "object" && (value?.kind === "map" || value?.kind === "list");
}

/** Stubs do not change what a merge has found, or a dynamic expression gives that is no map or list, also where that is inserted. */
export function isKept(cell: Cell): boolean {
  if (isRedirecting(cell)) return true;
  return cell.hasMerged || (isDynamicExpression(cell) && !isContainer(cell.value));
}

/** A merge that looks elsewhere, by itself or by a merge around it. */
export function isRedirecting({ source, environment }: Cell): boolean {
  if (source?.kind !== "expression" || source.markers?.isTemplate === true) return false;
  const { isRedirecting, isMerging, whole } = source.parsed;
  if (isRedirecting) return true;
  const isPlain = isMerging && whole?.kind !== "prefer" && whole?.kind !== "merge";
  return isPlain && environment !== undefined && isElsewhere(environment);
}

/** The fields at a path that the nearest stub which has them marks with &inject or &default; not those that are there. */
export function injectedInto(
  stubs: readonly Value[],
  path: readonly string[],
  own: Iterable<string>,
): [string, Cell][] {
  const seen = new Set(own);
  const injected: [string, Cell][] = [];
  for (const stub of stubs) {
    const found = path.length === 0 ? new Cell(stub) : findIn(stub, path, true);
    const value = found?.value;
    if (value instanceof MapValue) {
      for (const key of value.localKeys ?? []) seen.add(key);
      for (const [key, cell] of value.cells) {
        if (seen.has(key)) continue;
        seen.add(key);
        if (isInjected(cell)) injected.push([key, cell]);
      }
    }
    // A list has no fields for what farther stubs have there, and they change nothing that is kept.
    if (value instanceof ListValue || (found !== undefined && isKept(found))) break;
  }
  return injected;
}

/** The entries that the nearest stub with a list at the path marks with &inject or &default; those of farther stubs are in it. */
export function injectedEntriesOf(
  stubs: readonly Value[],
  path: readonly string[],
): { readonly entries: readonly Cell[]; readonly keyField: string | undefined } {
  const value = path.length === 0 ? stubs[0] : findInStubs(stubs, path)?.value;
  if (typeof value !== "object" || value?.kind !== "list") return { entries: [], keyField: undefined };
  return { entries: value.items.filter(isInjected), keyField: value.keyField };
}

function isInjected({ markers }: Cell): boolean {
  return markers?.isInjected === true || markers?.isDefault === true;
}

function findIn(root: Value, path: readonly string[], skipsDefaults: boolean): Cell | undefined {
  const found = findAt(root, path, skipsDefaults);
  return found?.isOfDefault === true ? undefined : found;
}

/** The same, also a field of a default. */
function findAt(root: Value, path: readonly string[], skipsDefaults: boolean): Cell | undefined {
  let value = root;
  let cell: Cell | undefined;
  for (const [index, name] of path.entries()) {
    const isLast = index === path.length - 1;
    if (skipsDefaults && isLast && cell?.markers?.isDefault === true && cell.source?.kind === "control")
      return undefined;
    cell = stepInto(value, name);
    if (cell === undefined) return undefined;
    ({ value } = cell);
  }
  return cell;
}
