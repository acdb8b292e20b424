import { isTrue, type Value } from "../value/value.ts";

/** `-and`, `-or`: bitwise for two ints, otherwise on truth. */
export function logical(operator: "-and" | "-or", left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") {
    return BigInt.asIntN(64, operator === "-and" ? left & right : left | right);
  }
  return operator === "-and" ? isTrue(left) && isTrue(right) : isTrue(left) || isTrue(right);
}
