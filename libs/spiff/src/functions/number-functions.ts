import type { Value } from "../value/value.ts";
import { failLocally } from "../evaluate/failure.ts";
import { shownType, type Arguments } from "./arguments.ts";
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

const minInt64 = -(2n ** 63n);

/** Functions on numbers. */
export const numberFunctions = defineFunctions({
  ...Object.fromEntries(
    Object.entries(floatFunctions).map(([name, compute]) => [
      name,
      (args: Arguments) => finite(name, compute(Number(numeric(args)))),
    ]),
  ),
  ceil: (args) => rounded(args, Math.ceil),
  floor: (args) => rounded(args, Math.floor),
  round: (args) => rounded(args, (value) => Math.sign(value) * roundHalfUp(Math.abs(value))),
  roundtoeven: (args) => rounded(args, roundToEven),
  abs: (args) => {
    const value = numeric(args);
    if (typeof value === "bigint") return BigInt.asIntN(64, value < 0n ? -value : value);
    return Math.abs(value);
  },
});

function numeric(args: Arguments): bigint | number {
  args.count(1, 1, `${args.name} requires one argument`);
  const value = args.at(0);
  if (typeof value === "bigint" || typeof value === "number") return value;
  return failLocally(`invalid argument type for ${args.name}: ${shownType(value)}`);
}

/** Neither JSON nor YAML for Kubernetes has other numbers. */
function finite(name: string, result: number): Value {
  if (Number.isNaN(result)) return failLocally(`${name}: NaN`);
  return Number.isFinite(result) ? result : failLocally(`${name}: the result is no finite number`);
}

function rounded(args: Arguments, round: (value: number) => number): Value {
  if (args.length === 1 && typeof args.at(0) === "boolean") return args.at(0) === true ? 1n : 0n;
  const value = numeric(args);
  return typeof value === "bigint" ? value : toInt64(round(value));
}

/** Go's conversion on the usual machines: what does not fit becomes the smallest int. */
export function toInt64(value: number): bigint {
  return Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : minInt64;
}

function roundHalfUp(value: number): number {
  const below = Math.floor(value);
  return value - below < 0.5 ? below : below + 1;
}

function roundToEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return value - below < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}
