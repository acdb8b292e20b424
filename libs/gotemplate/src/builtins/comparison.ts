import {
  FunctionError,
  GoComplex,
  GoInt,
  GoObject,
  type Value,
  collectionType,
  formatDefault,
  isMap,
  isSlice,
  isUnsigned,
  kindName,
  sprintf,
  typeName,
} from "@landscaper/golang";
import { compareStrings } from "@landscaper/goyaml";

type BasicKind = "bool" | "complex" | "int" | "uint" | "float" | "string";

function basicKind(value: Value): BasicKind | undefined {
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "float";
  if (typeof value === "boolean") return "bool";
  if (value instanceof GoInt) return isUnsigned(value.kind) ? "uint" : "int";
  if (value instanceof GoComplex) return "complex";
  return undefined;
}

/** eq: whether the first value equals any of the others. Models eq of text/template/funcs.go. */
export function isEqualToAny(first: Value, others: readonly Value[]): boolean {
  if (others.length === 0) throw new FunctionError("missing argument for comparison");
  for (const other of others) if (isEqual(first ?? undefined, other ?? undefined)) return true;
  return false;
}

function isEqual(a: Value, b: Value): boolean {
  const kindA = basicKind(a);
  const kindB = basicKind(b);
  if (a instanceof GoInt && b instanceof GoInt) return a.isSameNumber(b);
  if (kindA !== kindB) {
    if (a === undefined || b === undefined) return false;
    throw new FunctionError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`);
  }
  if (a instanceof GoComplex && b instanceof GoComplex) return a.isEqual(b);
  return kindA === undefined ? isSameReference(a, b) : a === b;
}

/** Values of no basic kind: only nil and what Go can compare by identity. */
function isSameReference(a: Value, b: Value): boolean {
  if (a === undefined || b === undefined || isNilCollection(a) || isNilCollection(b)) {
    return isNil(a) === isNil(b);
  }
  if (kindName(a) !== kindName(b)) {
    throw new FunctionError(
      `non-comparable types ${sprintf("%s", [a])}: ${typeName(a)}, ${typeName(b)}: ${formatDefault(b)}`,
    );
  }
  if (isMap(b) || isSlice(b) || b instanceof Uint8Array) {
    throw new FunctionError(`non-comparable type ${sprintf("%s", [b])}: ${typeName(b)}`);
  }
  // Structs are equal by their fields, pointers by identity.
  return a === b || (a instanceof GoObject && a.goKind === "struct" && b instanceof GoObject && a.isEqual(b));
}

function isNilCollection(value: Value): boolean {
  return (isMap(value) || isSlice(value)) && value[collectionType]?.isNil === true;
}

function isNil(value: Value): boolean {
  return value === undefined || isNilCollection(value);
}

/** lt. Models lt of text/template/funcs.go. */
export function isLess(a: Value, b: Value): boolean {
  const kindA = basicKind(a ?? undefined);
  const kindB = basicKind(b ?? undefined);
  if (kindA === undefined || kindB === undefined) throw new FunctionError("invalid type for comparison");
  if (a instanceof GoInt && b instanceof GoInt)
    return a.wide === undefined && b.wide === undefined ? a.toNumber() < b.toNumber() : a.value < b.value;
  if (kindA !== kindB) {
    throw new FunctionError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`);
  }
  if (typeof a === "number" && typeof b === "number") return a < b;
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b) < 0;
  throw new FunctionError("invalid type for comparison");
}

/** le: less or equal. */
export function isLessOrEqual(a: Value, b: Value): boolean {
  return isLess(a, b) || isEqualToAny(a, [b]);
}
