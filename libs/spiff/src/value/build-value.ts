import { Cell } from "./cell.ts";
import { ListValue, MapValue, type Value } from "./value.ts";

/** A list of complete values. */
export function listOf(values: readonly Value[]): ListValue {
  const list = new ListValue(values.map((value) => new Cell(value)));
  list.isDeep = true;
  return list;
}

/** A map of complete values. */
export function mapOf(entries: Iterable<readonly [string, Value]>): MapValue {
  const cells = new Map<string, Cell>();
  for (const [key, value] of entries) cells.set(key, new Cell(value));
  return completeMap(cells);
}

/** A map of complete cells, markers included. */
export function completeMap(cells: Map<string, Cell>): MapValue {
  const map = new MapValue(cells);
  map.isDeep = true;
  return map;
}

export function completeList(items: Cell[], keyField?: string): ListValue {
  const list = new ListValue(items, keyField);
  list.isDeep = true;
  return list;
}
