import { compareStrings } from "@landscaper/goyaml";
import { completeMap } from "../value/build-value.ts";
import { Cell } from "../value/cell.ts";
import type { MapValue, Value } from "../value/value.ts";
import { failLocally, quoting } from "../evaluate/failure.ts";
import type { Budget } from "../evaluate/budget.ts";
import { mergeValues } from "../evaluate/merging/merge-function.ts";
import type { Arguments } from "./arguments.ts";
import { chargedList } from "./charge.ts";
import { defineFunctions } from "./define-functions.ts";

/** Functions on maps. */
export const mapFunctions = defineFunctions({
  keys: (args, environment) => {
    args.count(1, 1, "one argument required for keys");
    const { cells } = args.map(0, "map argument required for keys");
    return chargedList([...cells.keys()].toSorted(compareStrings), environment);
  },
  makemap: makeMap,
  list_to_map: listToMap,
  merge: (args, environment) => mergeValues(args.values, environment),
  deepmerge: (args, { document }) => {
    args.count(1, Number.POSITIVE_INFINITY, "at least one argument required for deepmerge function");
    const maps = args.values.map((_, index) => args.map(index, "map required for deepmerge"));
    return maps.reduce((merged, map) => {
      return deepMerge(merged, map, document.budget);
    });
  },
});

/** makemap(k, v, ...), or of a list of maps with key and value. */
function makeMap(args: Arguments): Value {
  const cells = new Map<string, Cell>();
  if (args.length === 1) {
    const list = args.list(0, "single argument flavor of mapentry requires a list");
    for (const [index, { value }] of list.items.entries()) {
      if (typeof value !== "object" || value?.kind !== "map") return failLocally(`entry ${index} is no map entry`);
      const key = value.cells.get("key") ?? failLocally(`entry ${index} has no entry 'key'`);
      const item = value.cells.get("value") ?? failLocally(`entry ${index} has no entry 'value'`);
      const text = keyText(key.value) ?? failLocally(`invalid type for 'key' value of entry ${index}`);
      cells.set(text, new Cell(item.value));
    }
    return completeMap(cells);
  }
  if (args.length % 2 !== 0) return failLocally("mapentry takes one or two arguments");
  for (let i = 0; i < args.length; i += 2) {
    const text = keyText(args.at(i)) ?? failLocally(`invalid type for key value of argument pair ${i / 2}`);
    cells.set(text, new Cell(args.at(i + 1)));
  }
  return completeMap(cells);
}

function keyText(value: Value): string | undefined {
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

/** Entries of a list by the text of a field, without the field. */
function listToMap(args: Arguments): Value {
  args.count(1, 2, "list_to_map takes 1 or 2 arguments");
  const list = args.list(0, "list_to_map requires a list as first argument");
  const field =
    args.length > 1 ? args.text(1, "second argument of list_to_map must be a key name") : (list.keyField ?? "name");
  const cells = new Map<string, Cell>();
  for (const { value } of list.items) {
    if (typeof value !== "object" || value?.kind !== "map") return failLocally("list entries must be maps");
    const key = value.cells.get(field);
    if (key === undefined) return failLocally(quoting`key field '${field}' not found`);
    if (typeof key.value !== "string") return failLocally(quoting`key field '${field}' contains no string value`);
    cells.set(key.value, new Cell(completeMap(new Map([...value.cells].filter(([name]) => name !== field)))));
  }
  return completeMap(cells);
}

/** All entries of both; maps in both are merged, of anything else the right one wins. */
function deepMerge(left: MapValue, right: MapValue, budget: Budget): MapValue {
  budget.chargeEntries(left.cells.size + right.cells.size);
  const cells = new Map(left.cells);
  for (const [key, cell] of right.cells) {
    const below = cells.get(key)?.value ?? null;
    cells.set(key, isMap(below) && isMap(cell.value) ? new Cell(deepMerge(below, cell.value, budget)) : cell);
  }
  return completeMap(cells);
}

function isMap(value: Value): value is MapValue {
  return typeof value === "object" && value?.kind === "map";
}
