import { byteLength } from "@landscaper/golang";
import { completeList, listOf } from "../value/build-value.ts";
import { undefinedValue, type ListValue, type Value } from "../value/value.ts";
import { failLocally, known, quoting } from "../evaluate/failure.ts";
import type { Environment } from "../evaluate/environment.ts";
import { shownType, type Arguments } from "./arguments.ts";
import { chargeComparisons, chargedList } from "./charge.ts";
import { defineFunctions } from "./define-functions.ts";
import { isSameValue } from "./same-value.ts";
import { sortList } from "./sort-list.ts";
import { uniqueItems } from "./unique-items.ts";

/** Functions on lists. */
export const listFunctions = defineFunctions({
  element,
  length: lengthOf,
  contains: (args, environment) => {
    const container = args.at(0);
    if (args.length === 2 && typeof container === "object" && container?.kind === "map") {
      const key = args.at(1);
      return typeof key === "string" && container.cells.has(key);
    }
    return position(args, "first", environment) >= 0;
  },
  index: (args, environment) => BigInt(position(args, "first", environment)),
  lastindex: (args, environment) => BigInt(position(args, "last", environment)),
  compact: (args, { document }) => {
    const list = onlyList(args);
    document.budget.chargeEntries(list.items.length);
    return completeList(
      list.items.filter((cell) => !isEmpty(cell.value)),
      list.keyField,
    );
  },
  uniq: (args, environment) => {
    const list = onlyList(args);
    return completeList(uniqueItems(list.items, environment), list.keyField);
  },
  sort: sortList,
  reverse: (args, { document }) => {
    args.count(1, 1, "reverse takes one list argument");
    const list = args.list(0, "argument for reverse must be a list");
    document.budget.chargeEntries(list.items.length);
    return completeList(list.items.toReversed(), list.keyField);
  },
  intersect,
});

function onlyList(args: Arguments): ListValue {
  args.count(1, 1, `${args.name} takes exactly 1 argument`);
  return args.list(0, `invalid type for function ${args.name}`);
}

/** element(list, index), element(map, key). */
function element(args: Arguments): Value {
  args.count(2, 2, "element takes exactly two arguments");
  const [container, wanted] = [args.at(0), args.at(1)];
  if (container === null || wanted === null) return failLocally("function element does not take nil arguments");
  if (typeof container === "object" && container.kind === "list") return elementAt(container, wanted);
  if (typeof container !== "object" || container.kind !== "map") {
    return failLocally("invalid type for first argument of function element");
  }
  if (typeof wanted !== "string") {
    return failLocally(quoting`map key (${known(shownType(wanted))}) must be of type string`);
  }
  const cell = container.cells.get(wanted);
  return cell === undefined ? failLocally(quoting`map key '${wanted}' not found`) : cell.value;
}

function elementAt(list: ListValue, wanted: Value): Value {
  const isNumber = typeof wanted === "string" && /^[+-]?[0-9]{1,18}$/.test(wanted);
  const index = isNumber ? Number(wanted) : wanted;
  if (typeof index !== "bigint" && !(isNumber && typeof index === "number")) {
    return failLocally("invalid type of index argument for function element");
  }
  if (index < 0) return failLocally("index lower than 0");
  const cell = list.items[Number(index)];
  return cell === undefined ? failLocally("index greater or equal list size") : cell.value;
}

function lengthOf(args: Arguments): Value {
  args.count(1, 1, "length takes exactly 1 argument");
  const value = args.at(0);
  if (typeof value === "string") return BigInt(byteLength(value));
  if (typeof value === "object" && value?.kind === "list") return BigInt(value.items.length);
  if (typeof value === "object" && value?.kind === "map") return BigInt(value.cells.size);
  return failLocally("invalid type for function length");
}

/** Where a value stands in a list, or text in text (in bytes); -1 for nowhere. */
function position(args: Arguments, end: "first" | "last", environment: Environment): number {
  args.count(2, 2, `function ${args.name} takes exactly two arguments`);
  const [container, wanted] = [args.at(0), args.at(1)];
  if (typeof container === "string") return textPosition(container, wanted, end);
  if (typeof container !== "object" || container?.kind !== "list") {
    return failLocally(`list or string expected for argument one of function ${args.name}`);
  }
  chargeComparisons(wanted, container.items.length, environment);
  if (wanted === null) return -1;
  const isSame = (cell: { value: Value }): boolean => isSameValue(cell.value, wanted);
  return end === "first" ? container.items.findIndex(isSame) : container.items.findLastIndex(isSame);
}

function textPosition(text: string, wanted: Value, end: "first" | "last"): number {
  if (typeof wanted === "object" || typeof wanted === "number") return failLocally("invalid type for check string");
  const searched = String(wanted);
  const index = end === "first" ? text.indexOf(searched) : text.lastIndexOf(searched);
  return index < 0 ? -1 : byteLength(text.slice(0, index));
}

function isEmpty(value: Value): boolean {
  if (value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return (value.kind === "list" && value.items.length === 0) || (value.kind === "map" && value.cells.size === 0);
}

/** The entries of the first list that all others have, too. */
function intersect(args: Arguments, environment: Environment): Value {
  if (args.values.includes(undefinedValue)) return undefinedValue;
  const lists = args.values.flatMap((value, index) => {
    if (value === null) return [];
    if (typeof value === "object" && value.kind === "list") return [value];
    return failLocally(`intersect: argument ${index}: type '${shownType(value)}' cannot be intersected`);
  });
  const [first, ...others] = lists;
  if (first === undefined) return listOf([]);
  const size = others.reduce((sum, list) => sum + list.items.length, 1);
  const kept = first.items.filter(({ value }) => {
    chargeComparisons(value, size, environment);
    return others.every((list) => list.items.some((cell) => isSameValue(value, cell.value)));
  });
  return chargedList(
    kept.map(({ value }) => value),
    environment,
  );
}
