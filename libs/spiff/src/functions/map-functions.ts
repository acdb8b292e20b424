import { compareStrings } from "@landscaper/goyaml";
import { completeMap, listOf } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { MapValue, Value } from "../value/value.ts";
import { failLocally } from "../evaluate/failure.ts";
import { mergeValues } from "../evaluate/merge-function.ts";
import type { Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";

/** Functions on maps (spiff.md §3.9). */
export const mapFunctions = defineFunctions({
  keys: (args) => {
    args.count(1, 1);
    return listOf([...mapOrFail(args.at(0), "map argument required for keys").cells.keys()].toSorted(compareStrings));
  },
  makemap: makeMap,
  list_to_map: listToMap,
  merge: (args, environment) => mergeValues(args.values, environment),
  deepmerge: (args) => {
    args.count(1);
    const maps = args.values.map((value) => mapOrFail(value, "map required for deepmerge"));
    return maps.reduce((merged, map) => deepMerge(merged, map));
  },
});

function mapOrFail(value: Value, message: string): MapValue {
  return typeof value === "object" && value?.kind === "map" ? value : failLocally(message);
}

/** makemap(k, v, ...), or of a list of maps with key and value. */
function makeMap(args: Arguments): Value {
  const cells = new Map<string, Cell>();
  if (args.length === 1) {
    const list = args.at(0);
    if (typeof list !== "object" || list?.kind !== "list") {
      return failLocally("single argument flavor of mapentry requires a list");
    }
    for (const { value } of list.items) {
      const entry = mapOrFail(value, "list elements of makemap must be maps");
      const key = entry.cells.get("key")?.value;
      const item = entry.cells.get("value");
      if (key === undefined || item === undefined)
        return failLocally("list elements of makemap need the fields key and value");
      cells.set(keyText(key), new Cell(item.value));
    }
    return completeMap(cells);
  }
  if (args.length % 2 !== 0) return failLocally("makemap requires an even number of arguments");
  for (let i = 0; i < args.length; i += 2) cells.set(keyText(args.at(i)), new Cell(args.at(i + 1)));
  return completeMap(cells);
}

function keyText(value: Value): string {
  if (typeof value === "string" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  return failLocally("map key must be simple value");
}

/** Entries of a list by the text of a field, without the field. */
function listToMap(args: Arguments): Value {
  args.count(1, 2);
  const list = args.list(0);
  const field = args.length > 1 ? args.text(1) : (list.keyField ?? "name");
  const cells = new Map<string, Cell>();
  for (const { value } of list.items) {
    const entry = mapOrFail(value, "list elements must be maps");
    const key = entry.cells.get(field)?.value;
    if (typeof key !== "string") return failLocally(`key field '${field}' contains no string value`);
    cells.set(key, new Cell(completeMap(new Map([...entry.cells].filter(([name]) => name !== field)))));
  }
  return completeMap(cells);
}

/** All entries of both; maps in both are merged, of anything else the right one wins. */
function deepMerge(left: MapValue, right: MapValue): MapValue {
  const cells = new Map(left.cells);
  for (const [key, cell] of right.cells) {
    const below = cells.get(key)?.value ?? null;
    cells.set(key, isMap(below) && isMap(cell.value) ? new Cell(deepMerge(below, cell.value)) : cell);
  }
  return completeMap(cells);
}

function isMap(value: Value): value is MapValue {
  return typeof value === "object" && value?.kind === "map";
}
