import { quote } from "@landscaper/golang";
import { fitsInt64, fitsUint64, parseGoFloat, parseGoInteger } from "@landscaper/goyaml";

/** A number literal: the types that it can have, as Go's parse.NumberNode. */
export interface NumberLiteral {
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
}

/** Reads a number token; a string is Go's error message. */
export function readNumberLiteral(text: string): NumberLiteral | string {
  const integer = parseGoInteger(text);
  if (integer !== undefined && (fitsInt64(integer) || fitsUint64(integer))) {
    return {
      int: fitsInt64(integer) ? integer : undefined,
      uint: fitsUint64(integer) ? integer : undefined,
      float: Number(integer),
    };
  }
  const float = parseGoFloat(text);
  if (float === undefined) return `illegal number syntax: ${quote(text)}`;
  if (!/[.eEpP]/.test(text)) return `integer overflow: ${quote(text)}`;
  const whole = Number.isInteger(float) ? BigInt(float) : undefined;
  return {
    int: whole !== undefined && fitsInt64(whole) ? whole : undefined,
    uint: whole !== undefined && fitsUint64(whole) ? whole : undefined,
    float,
  };
}
