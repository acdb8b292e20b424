import { completeList, listOf } from "../value/build-value.ts";
import { isTrue, typeName, type ListValue, type Value } from "../value/value.ts";
import { isDeepEqual, isEqual } from "../evaluate/compare.ts";
import { EvaluationFailure, failLocally, issueOf, quoting } from "../evaluate/failure.ts";
import { callLambda } from "../evaluate/lambda.ts";
import type { Environment } from "../evaluate/environment.ts";
import type { Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";

/** Functions on lists (spiff.md §3.9). */
export const listFunctions = defineFunctions({
  element,
  length: lengthOf,
  contains: (args) => position(args, "first") >= 0,
  index: (args) => BigInt(position(args, "first")),
  lastindex: (args) => BigInt(position(args, "last")),
  compact: (args) => {
    const list = args.list(0);
    return completeList(
      list.items.filter((cell) => !isEmpty(cell.value)),
      list.keyField,
    );
  },
  uniq,
  sort,
  reverse: (args) => completeList(args.list(0).items.toReversed(), args.list(0).keyField),
  intersect,
});

function element(args: Arguments): Value {
  args.count(2, 2);
  const container = args.at(0);
  if (typeof container === "object" && container?.kind === "list") {
    const index = args.integer(1);
    if (index < 0n) return failLocally("index lower than 0");
    return container.items[Number(index)]?.value ?? elementOrNull(container, Number(index));
  }
  if (typeof container !== "object" || container?.kind !== "map") {
    return failLocally("invalid type for first argument of function element");
  }
  const key = args.text(1);
  const cell = container.cells.get(key);
  return cell === undefined ? failLocally(quoting`map key '${key}' not found`) : cell.value;
}

function elementOrNull(list: ListValue, index: number): Value {
  return index < list.items.length ? null : failLocally("index greater or equal list size");
}

function lengthOf(args: Arguments): Value {
  args.count(1, 1);
  const value = args.at(0);
  if (typeof value === "string") return BigInt(Buffer.byteLength(value));
  if (typeof value === "object" && value?.kind === "list") return BigInt(value.items.length);
  if (typeof value === "object" && value?.kind === "map") return BigInt(value.cells.size);
  return failLocally("invalid type for function length");
}

/** Where a value stands in a list, or text in text (in bytes); -1 for nowhere. */
function position(args: Arguments, end: "first" | "last"): number {
  args.count(2, 2);
  const container = args.at(0);
  const wanted = args.at(1);
  if (typeof container === "string") {
    if (typeof wanted === "object" || typeof wanted === "number") return failLocally("search value must be simple");
    const index = end === "first" ? container.indexOf(String(wanted)) : container.lastIndexOf(String(wanted));
    return index < 0 ? -1 : Buffer.byteLength(container.slice(0, index));
  }
  if (typeof container === "object" && container?.kind === "map" && typeof wanted === "string") {
    return container.cells.has(wanted) ? 0 : -1;
  }
  if (typeof container !== "object" || container?.kind !== "list") {
    return failLocally(`list, map or string expected for first argument, found '${typeName(container)}'`);
  }
  const isSame = (cell: { value: Value }): boolean => isSameValue(cell.value, wanted);
  return end === "first" ? container.items.findIndex(isSame) : container.items.findLastIndex(isSame);
}

/** The language's equality; what it cannot compare differs. */
function isSameValue(left: Value, right: Value): boolean {
  try {
    return isEqual(left, right);
  } catch (error) {
    if (error instanceof EvaluationFailure) return false;
    throw error;
  }
}

function isEmpty(value: Value): boolean {
  if (value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return (value.kind === "list" && value.items.length === 0) || (value.kind === "map" && value.cells.size === 0);
}

function uniq(args: Arguments, { document }: Environment): Value {
  args.count(1, 1);
  const list = args.list(0);
  const seen = new Set<Value>();
  const others: Value[] = [];
  const items = list.items.filter(({ value }) => {
    const known = simpleKey(value);
    if (known !== undefined) return !seen.has(known) && seen.add(known).size > 0;
    document.budget.charge(others.length);
    if (others.some((other) => isDeepEqual(other, value))) return false;
    others.push(value);
    return true;
  });
  return completeList(items, list.keyField);
}

/** Values that compare as equal have one text: 1, "1"; undefined for containers. */
function simpleKey(value: Value): string | undefined {
  if (value === null) return "~";
  return typeof value === "object" ? undefined : `=${value.toString()}`;
}

function sort(args: Arguments, environment: Environment): Value {
  args.count(1, 2);
  const list = args.list(0);
  const lambda = args.at(1);
  environment.document.budget.charge(list.items.length);
  if (typeof lambda === "object" && lambda?.kind === "lambda") {
    const compare = (a: Value, b: Value): number => {
      const result = callLambda(lambda, { positional: [a, b], named: new Map() }, environment);
      if (typeof result === "bigint") return Number(result);
      return typeof result === "boolean" ? Number(!result) * 2 - 1 : Number(!isTrue(result));
    };
    return completeList(
      list.items.toSorted((a, b) => compare(a.value, b.value)),
      list.keyField,
    );
  }
  if (args.length > 1) return failLocally("second argument for sort must be a lambda value");
  const values = list.items.map((cell) => cell.value);
  const areTexts = values.every((value) => typeof value === "string");
  if (!areTexts && !values.every((value) => typeof value === "bigint")) {
    return failLocally("sort failed", [issueOf("list elements must either be strings or integers")]);
  }
  return completeList(
    list.items.toSorted((a, b) => order(a.value, b.value)),
    list.keyField,
  );
}

function order(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string")
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  if (typeof left === "bigint" && typeof right === "bigint") return left < right ? -1 : Number(left > right);
  return 0;
}

function intersect(args: Arguments, { document }: Environment): Value {
  args.count(1);
  const [first, ...others] = args.values.map((_, index) => args.list(index));
  if (first === undefined) return listOf([]);
  const kept: Value[] = [];
  for (const { value } of first.items) {
    document.budget.charge(others.reduce((sum, list) => sum + list.items.length, kept.length));
    const isEverywhere = others.every((list) => list.items.some((cell) => isSameValue(cell.value, value)));
    if (isEverywhere && !kept.some((known) => isSameValue(known, value))) kept.push(value);
  }
  return listOf(kept);
}
