import type { Source } from "../../document/source.ts";
import { printLambda } from "../../syntax/print-expression.ts";
import { undefinedValue, type Value } from "../../value/value.ts";
import { EvaluationFailure, failLocally, issueOf } from "../failure.ts";

/** Comparison operators. Floats are never equal and never ordered. */
export function compare(operator: "==" | "!=" | "<" | "<=" | ">" | ">=", left: Value, right: Value): boolean {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other kinds are in the default branch
  switch (operator) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    default:
      return isOrdered(operator, left, right);
  }
}

function isOrdered(operator: "<" | "<=" | ">" | ">=", left: Value, right: Value): boolean {
  if (typeof left === "bigint" && typeof right === "bigint") return order(operator, left < right, left === right);
  if (typeof left === "string" && typeof right === "string") {
    return order(operator, Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0, left === right);
  }
  if (typeof left === "bigint" || typeof left === "string") {
    const types = typeof left === "string" ? "strings or integers" : "integers or strings";
    return failLocally(`comparision ${operator} only for ${types}`);
  }
  return false;
}

function order(operator: "<" | "<=" | ">" | ">=", isLess: boolean, isSame: boolean): boolean {
  switch (operator) {
    case "<":
      return isLess;
    case "<=":
      return isLess || isSame;
    case ">":
      return !isLess && !isSame;
    case ">=":
      return !isLess;
  }
}

/** The language's equality; fails for null against a value and for text against containers. */
export function isEqual(left: Value, right: Value): boolean {
  const first = left === undefinedValue ? null : left;
  const second = right === undefinedValue ? null : right;
  if (first === null || second === null) {
    if (first === second) return true;
    throw new EvaluationFailure({ tag: "", issue: issueOf("") });
  }
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a value has no other types
  switch (typeof first) {
    case "string":
      return isTextEqual(first, second);
    case "bigint":
      return isIntEqual(first, second);
    case "boolean":
      return typeof second === "string" ? parseBool(second) === first : first === second;
    case "number":
      return false;
    default:
      return isDeepEqual(first, second);
  }
}

function isTextEqual(left: string, right: Value): boolean {
  if (typeof right === "string") return left === right;
  if (typeof right === "bigint" || typeof right === "boolean") return left === String(right);
  return failLocally("types uncomparable");
}

function isIntEqual(left: bigint, right: Value): boolean {
  if (typeof right === "string") return /^[+-]?[0-9]+$/.test(right) && BigInt(right.replace(/^\+/, "")) === left;
  if (typeof right === "boolean") return left === (right ? 1n : 0n);
  return left === right;
}

/** Go's ParseBool; undefined for anything else. */
export function parseBool(text: string): boolean | undefined {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) return true;
  return ["0", "f", "F", "FALSE", "false", "False"].includes(text) ? false : undefined;
}

/** Equality of the structure, without conversions. */
export function isDeepEqual(left: Value, right: Value): boolean {
  if (typeof left === "number") return left === right;
  return isSameTree(left, right, {});
}

/** What was found to be the same: lists and maps may contain the same ones again and again. Made when there is something. */
interface KnownPairs {
  pairs?: Map<Value, Value>;
}

function isSameTree(left: Value, right: Value, known: KnownPairs): boolean {
  // Floats within containers are never equal.
  if (typeof left === "number") return false;
  if (typeof left !== "object" || left === null || typeof right !== "object" || right === null) return left === right;
  if (left === right || known.pairs?.get(left) === right) return true;
  const isSame = isSameNode(left, right, known);
  if (isSame) (known.pairs ??= new Map()).set(left, right);
  return isSame;
}

function isSameNode(
  left: Exclude<Value & object, null>,
  right: Exclude<Value & object, null>,
  known: KnownPairs,
): boolean {
  switch (left.kind) {
    case "undefined":
      return right.kind === "undefined";
    case "list":
      if (right.kind !== "list" || left.items.length !== right.items.length) return false;
      return left.items.every((cell, index) => isSameTree(cell.value, right.items[index]?.value ?? null, known));
    case "map":
      if (right.kind !== "map" || left.cells.size !== right.cells.size) return false;
      return [...left.cells].every(([key, cell]) => {
        const other = right.cells.get(key);
        return other !== undefined && isSameTree(cell.value, other.value, known);
      });
    case "template":
      return right.kind === "template" && isSameSource(left.source, right.source);
    case "lambda":
      return (
        right.kind === "lambda" && printLambda(left.parameters, left.body) === printLambda(right.parameters, right.body)
      );
  }
}

/** Expressions of the same text are the same, wherever they stand. */
function isSameSource(left: Source, right: Source): boolean {
  if (left.kind !== "expression" || right.kind !== "expression") return left === right;
  return left.parsed.text === right.parsed.text;
}
