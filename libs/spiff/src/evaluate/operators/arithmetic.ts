import type { Value } from "../../value/value.ts";
import { failLocally } from "../failure.ts";
import { addToAddress, enlargeNetwork, moveNetwork, subtractFromAddress } from "./ip-arithmetic.ts";

type Operator = "+" | "-" | "*" | "/" | "%";

/** Arithmetic on numbers and IP addresses: ints wrap at 64 bits, one float makes the result float. */
export function calculate(operator: Operator, left: Value, right: Value): Value {
  if (operator === "%") return remainder(left, right);
  if (typeof left === "string") return calculateAddress(operator, left, right);
  if (!isNumber(left) || !isNumber(right)) return failLocally(`${nouns[operator]} requires number arguments`);
  if (operator === "/" && Number(right) === 0) return failLocally("division by zero");
  if (typeof left === "bigint" && typeof right === "bigint") return BigInt.asIntN(64, integer(operator, left, right));
  return float(operator, Number(left), Number(right));
}

const nouns = {
  "+": "non-IP address addition",
  "-": "non-IP address subtraction",
  "*": "non-CIDR multiplication",
  "/": "non-CIDR division",
} as const;

function isNumber(value: Value): value is bigint | number {
  return typeof value === "bigint" || typeof value === "number";
}

function integer(operator: keyof typeof nouns, left: bigint, right: bigint): bigint {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
  }
}

function float(operator: keyof typeof nouns, left: number, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
  }
}

/** nil counts as 0, in this operation only, as in the original. */
function remainder(leftOrNil: Value, rightOrNil: Value): Value {
  const left = leftOrNil ?? 0n;
  const right = rightOrNil ?? 0n;
  if (typeof left !== "bigint" || typeof right !== "bigint") return failLocally("integer operand required");
  return right === 0n ? failLocally("division by zero") : BigInt.asIntN(64, left % right);
}

function calculateAddress(operator: keyof typeof nouns, left: string, right: Value): Value {
  switch (operator) {
    case "+":
      return addToAddress(left, right);
    case "-":
      return subtractFromAddress(left, right);
    case "*":
      return moveNetwork(left, right);
    case "/":
      return enlargeNetwork(left, right);
  }
}
