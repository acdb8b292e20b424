import { GoInt, type Value, isMap, isSlice } from "@landscaper/golang";
import { toGoJson } from "@landscaper/goyaml";

/** JSON's name of a value's type. */
export function jsonType(value: Value): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return "string";
  if (numberOf(value) !== undefined) return "number";
  return isSlice(value) ? "array" : "object";
}

export function numberOf(value: Value): number | undefined {
  if (typeof value === "number") return value;
  return value instanceof GoInt ? value.toNumber() : undefined;
}

/** Whether two values are the same JSON: 1 and 1.0 are, 1 and true are not. */
export function isSameJson(a: Value, b: Value): boolean {
  const type = jsonType(a);
  if (type !== jsonType(b)) return false;
  if (type === "number") return numberOf(a) === numberOf(b);
  if (isSlice(a) && isSlice(b)) return a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  if (isMap(a) && isMap(b)) {
    return a.size === b.size && [...a].every(([key, item]) => b.has(key) && isSameJson(item, b.get(key)));
  }
  return (a ?? null) === (b ?? null);
}

/** The places of the first two items that are the same. */
export function findTwins(items: readonly Value[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    // Keys are sorted in it.
    const json = toGoJson(item);
    const twin = seen.get(json);
    if (twin !== undefined) return [twin, index];
    seen.set(json, index);
  }
  return undefined;
}

/** Whether a number is a whole multiple of another, as their decimal digits tell: 0.3 is one of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(of)];
  const exponent = Math.min(a.exponent, b.exponent);
  // Beyond this a number of so few digits is a multiple of nothing that a schema asks for, or of everything.
  if (Math.max(a.exponent, b.exponent) - exponent > 700) return Number.isInteger(value / of);
  const scaled = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  return b.digits !== 0n && scaled(a) % scaled(b) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
