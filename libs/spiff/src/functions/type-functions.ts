import { formatFloat } from "@landscaper/goyaml";
import { isTrue, typeName, type Value } from "../value/value.ts";
import { listOf } from "../value/build-value.ts";
import { parseBool } from "../evaluate/compare.ts";
import { failLocally } from "../evaluate/failure.ts";
import type { Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";

/** Conversions and questions about types (spiff.md §3.9). */
export const typeFunctions = defineFunctions({
  type: (args) => (args.count(1, 1), typeName(args.at(0))),
  string: toText,
  integer: toInteger,
  float: toFloat,
  bool: toBool,
  features: (args, { document }) => (args.count(0, 0), listOf([...document.features].toSorted())),
});

function toText(args: Arguments): Value {
  args.count(1, 2);
  const value = args.at(0);
  if (typeof value === "bigint" && args.length > 1) {
    const base = Number(args.integer(1));
    return base >= 2 && base <= 36 ? value.toString(base) : failLocally(`base ${base} must be between 2 and 36`);
  }
  if (typeof value === "number") return formatFloat(value, "g", -1);
  if (typeof value === "object") return failLocally(`cannot convert ${typeName(value)} to string`);
  return String(value);
}

function toInteger(args: Arguments): Value {
  args.count(1, 1);
  const value = args.at(0);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a value has no other types
  switch (typeof value) {
    case "bigint":
      return value;
    case "number":
      return BigInt.asIntN(64, BigInt(Math.trunc(Number.isFinite(value) ? value : 0)));
    case "boolean":
      return value ? 1n : 0n;
    case "string": {
      const parsed = /^[+-]?[0-9]+$/.test(value) ? BigInt(value.replace(/^\+/, "")) : undefined;
      return parsed !== undefined && BigInt.asIntN(64, parsed) === parsed
        ? parsed
        : failLocally("text is no integer value");
    }
    case "object":
      return failLocally(`cannot convert ${typeName(value)} to integer`);
  }
}

function toFloat(args: Arguments): Value {
  args.count(1, 1);
  const value = args.at(0);
  if (typeof value === "bigint" || typeof value === "number") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return failLocally(`cannot convert ${typeName(value)} to float`);
  return /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(value)
    ? Number(value)
    : failLocally("text is no float value");
}

function toBool(args: Arguments): Value {
  args.count(1, 1);
  const value = args.at(0);
  if (typeof value !== "string") return typeof value === "number" ? value !== 0 : isTrue(value);
  if (value === "") return false;
  return parseBool(value) ?? failLocally("text is no bool value");
}
