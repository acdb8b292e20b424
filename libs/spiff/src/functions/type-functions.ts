import { formatFloat, parseGoFloat } from "@landscaper/goyaml";
import { typeName, undefinedValue, type Value } from "../value/value.ts";
import { listOf } from "../value/build-value.ts";
import { parseBool } from "../evaluate/operators/compare.ts";
import { failLocally } from "../evaluate/failure.ts";
import { shownType, type Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";
import { toInt64 } from "./number-functions.ts";

/** Conversions and questions about types. */
export const typeFunctions = defineFunctions({
  type: (args) => {
    args.count(1, Number.POSITIVE_INFINITY, "type requires one argument");
    return typeName(args.at(0));
  },
  string: toText,
  integer: toInteger,
  float: toFloat,
  bool: toBool,
  features: (args, { document }) => {
    args.count(0, 1, "features accepts a maximum of one arguments");
    if (args.length === 0) return listOf([...document.features].toSorted());
    return document.features.has(args.text(0, "features: argument must be a string"));
  },
});

/** string(value), string(int, base). */
function toText(args: Arguments): Value {
  const value = args.at(0);
  args.count(1, typeof value === "bigint" ? 2 : 1, "string requires one argument");
  if (typeof value === "bigint" && args.length > 1) {
    const base = args.integer(1, "base argument for string requires integer value");
    if (base < 2n || base > 36n) return failLocally("base argument for string requires integer value >=2 and <=36");
    return value.toString(Number(base));
  }
  if (typeof value === "number") return formatFloat(value, "g", -1);
  return typeof value === "object" ? unconvertible(value, "string") : String(value);
}

function unconvertible(value: Value, type: string): never {
  return failLocally(`cannot convert ${shownType(value)} to ${type}`);
}

function toInteger(args: Arguments): Value {
  args.count(1, 1, "integer requires one argument");
  const value = args.at(0);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a value has no other types
  switch (typeof value) {
    case "bigint":
      return value;
    case "number":
      return toInt64(value);
    case "boolean":
      return value ? 1n : 0n;
    case "string": {
      const isNumber = /^[+-]?[0-9]{1,40}$/.test(value);
      const parsed = isNumber ? BigInt(value.replace(/^\+/, "")) : undefined;
      const fits = parsed !== undefined && BigInt.asIntN(64, parsed) === parsed;
      return fits ? parsed : failLocally("text is no integer value");
    }
    case "object":
      return unconvertible(value, "integer");
  }
}

function toFloat(args: Arguments): Value {
  args.count(1, 1, "float requires one argument");
  const value = args.at(0);
  if (typeof value === "bigint" || typeof value === "number") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return unconvertible(value, "float");
  const parsed = parseGoFloat(value);
  return parsed !== undefined && Number.isFinite(parsed) ? parsed : failLocally("text is no float value");
}

function toBool(args: Arguments): Value {
  args.count(1, 1, "bool requires one argument");
  const value = args.at(0);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a value has no other types
  switch (typeof value) {
    case "boolean":
      return value;
    case "bigint":
      return value !== 0n;
    case "number":
      return value !== 0;
    case "string":
      return value === "" ? false : (parseBool(value) ?? failLocally("text is no bool value"));
    case "object":
      if (value === null) return false;
      return value === undefinedValue ? undefinedValue : unconvertible(value, "bool");
  }
}
