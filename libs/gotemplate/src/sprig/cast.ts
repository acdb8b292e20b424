import { GoInt, type Value } from "@landscaper/golang";
import { fitsInt64, parseGoFloat, parseGoInteger } from "@landscaper/goyaml";

const minInt64 = -(2n ** 63n);

/** spf13/cast ToInt64: numbers cut, texts by Go's syntax, also with zeros behind a point; else 0. */
export function toInt64(value: Value): bigint {
  if (value instanceof GoInt) return BigInt.asIntN(64, value.value);
  switch (typeof value) {
    case "number":
      return floatToInt64(value);
    case "boolean":
      return value ? 1n : 0n;
    case "string":
      return textToInt64(value);
    case "undefined":
    case "object":
    case "bigint":
    case "symbol":
    case "function":
      return 0n;
  }
}

/** What an amd64 processor makes of a float that does not fit. */
function floatToInt64(value: number): bigint {
  if (!Number.isFinite(value)) return minInt64;
  const integer = BigInt(Math.trunc(value));
  return fitsInt64(integer) ? integer : minInt64;
}

/** strconv.Atoi without its error: 0 for no number, the nearest int for one that is too large. */
export function atoi(text: string): bigint {
  const match = /^([+-]?)0*([0-9]+)$/.exec(text);
  if (match === null) return 0n;
  const [, sign, digits = "0"] = match;
  // No more digits are needed to see that it is too large.
  const magnitude = BigInt(digits.slice(0, 30));
  const value = sign === "-" ? -magnitude : magnitude;
  if (fitsInt64(value)) return value;
  return value < 0n ? minInt64 : -minInt64 - 1n;
}

function textToInt64(text: string): bigint {
  const value = parseGoInteger(text.replace(/\.0+$/, ""));
  return value !== undefined && fitsInt64(value) ? value : 0n;
}

/** spf13/cast ToFloat64; 0 for what is no number. */
export function toFloat64(value: Value): number {
  if (value instanceof GoInt) return value.toNumber();
  switch (typeof value) {
    case "number":
      return value;
    case "boolean":
      return value ? 1 : 0;
    case "string":
      return parseGoFloat(value) ?? 0;
    case "undefined":
    case "object":
    case "bigint":
    case "symbol":
    case "function":
      return 0;
  }
}
