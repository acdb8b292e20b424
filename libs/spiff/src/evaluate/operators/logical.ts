import { isTrue, undefinedValue, type Value } from "../../value/value.ts";

/** Whether the left operand of `-or` or `-and` says all: only ints need the right one in any case. */
export function isDecided(operator: string, left: Value): boolean {
  if (typeof left === "bigint" || left === undefinedValue) return false;
  return (operator === "-or" && isTrue(left)) || (operator === "-and" && !isTrue(left));
}

/** `-and`, `-or`: bitwise for two ints, otherwise on truth. */
export function logical(operator: "-and" | "-or", left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") {
    return BigInt.asIntN(64, operator === "-and" ? left & right : left | right);
  }
  if (left === undefinedValue || right === undefinedValue) return undefinedValue;
  return operator === "-and" ? isTrue(left) && isTrue(right) : isTrue(left) || isTrue(right);
}
