import type { Cell } from "../../value/cell.ts";
import { isGone, type ListValue, type Value } from "../../value/value.ts";
import { force } from "../force.ts";

const indexPattern = /^\[(-?[0-9]+)\]$/;

/** The entry of a map, or of a list by index `[n]`, key value or `field:value`. */
export function stepInto(container: Value, name: string): Cell | undefined {
  if (typeof container !== "object" || container === null) return undefined;
  if (container.kind === "map") {
    return container.cells.get(name);
  }
  if (container.kind !== "list") return undefined;
  const index = indexPattern.exec(name)?.[1];
  return index === undefined ? findByKey(container, name) : entryAt(container, Number(index));
}

/** Entries that turn out to be undefined do not count. Array.at wraps only once, as the language does. */
function entryAt(list: ListValue, index: number): Cell | undefined {
  if (list.isDeep || !list.items.some((cell) => mayBeGone(cell))) return list.items.at(index);
  const count = index < 0 ? list.items.length : index + 1;
  const items: Cell[] = [];
  for (const cell of list.items) {
    if (items.length >= count) break;
    force(cell);
    if (cell.state !== "done" || !isGone(cell.value)) items.push(cell);
  }
  return items.at(index);
}

function mayBeGone({ state, source, value }: Cell): boolean {
  return state === "done" ? isGone(value) : source?.kind === "expression" || source?.kind === "map";
}

function findByKey(list: ListValue, name: string): Cell | undefined {
  if (list.keyField === "") return undefined;
  const separator = name.indexOf(":");
  const field = separator > 0 ? name.slice(0, separator) : (list.keyField ?? "name");
  const wanted = separator > 0 ? name.slice(separator + 1) : name;
  if (list.isDeep && list.items.length > fewEntries) return indexOf(list.items, field).get(wanted);
  return list.items.find((item) => keyIn(item, field) === wanted);
}

/** An entry of so few is found as quickly without an index. */
const fewEntries = 10;

/** The entries of complete lists by the field that names them and its value. */
const indices = new WeakMap<readonly Cell[], Map<string, ReadonlyMap<Value, Cell>>>();

function indexOf(items: readonly Cell[], field: string): ReadonlyMap<Value, Cell> {
  const fields = indices.get(items) ?? new Map<string, ReadonlyMap<Value, Cell>>();
  indices.set(items, fields);
  const known = fields.get(field);
  if (known !== undefined) return known;
  const index = new Map<Value, Cell>();
  for (const item of items) {
    const key = keyIn(item, field);
    // Of several entries with one key, the first is meant.
    if (key !== undefined && !index.has(key)) index.set(key, item);
  }
  fields.set(field, index);
  return index;
}

function keyIn(item: Cell, field: string): Value | undefined {
  force(item);
  if (item.state !== "done" || typeof item.value !== "object" || item.value?.kind !== "map") return undefined;
  const key = item.value.cells.get(field);
  if (key === undefined) return undefined;
  force(key);
  return key.state === "done" ? key.value : undefined;
}
