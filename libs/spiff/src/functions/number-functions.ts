import type { Value } from "../value/value.ts";
import { failLocally } from "../evaluate/failure.ts";
import type { Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";

const floatFunctions: Readonly<Record<string, (value: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  sinh: Math.sinh,
  cosh: Math.cosh,
  asin: Math.asin,
  acos: Math.acos,
  asinh: Math.asinh,
  acosh: Math.acosh,
  sqrt: Math.sqrt,
  exp: Math.exp,
  log: Math.log,
  log10: Math.log10,
};

/** Functions on numbers (spiff.md §3.9). */
export const numberFunctions = defineFunctions({
  ...Object.fromEntries(
    Object.entries(floatFunctions).map(([name, compute]) => [
      name,
      (args: Arguments) => floatResult(name, compute, args),
    ]),
  ),
  ceil: (args) => rounded(args, "ceil", Math.ceil),
  floor: (args) => rounded(args, "floor", Math.floor),
  round: (args) => rounded(args, "round", (value) => Math.sign(value) * Math.round(Math.abs(value))),
  roundtoeven: (args) => rounded(args, "roundtoeven", roundToEven),
  abs: (args) => {
    const value = numeric(args, "abs");
    if (typeof value === "bigint") return BigInt.asIntN(64, value < 0n ? -value : value);
    return Math.abs(value);
  },
});

function numeric(args: Arguments, name: string): bigint | number {
  args.count(1, 1);
  const value = args.at(0);
  if (typeof value === "bigint" || typeof value === "number") return value;
  return failLocally(`invalid argument type for ${name}: ${typeof value === "object" ? "no number" : typeof value}`);
}

function floatResult(name: string, compute: (value: number) => number, args: Arguments): Value {
  const result = compute(Number(numeric(args, name)));
  return Number.isNaN(result) ? failLocally(`${name}: NaN`) : result;
}

function rounded(args: Arguments, name: string, round: (value: number) => number): Value {
  const value = numeric(args, name);
  if (typeof value === "bigint") return value;
  return Number.isFinite(value) ? BigInt.asIntN(64, BigInt(round(value))) : failLocally(`${name}: no finite number`);
}

function roundToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
