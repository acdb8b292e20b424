import {
  type CallContext,
  FunctionError,
  type FunctionMap,
  type GoFunction,
  type GoInt,
  type GoSlice,
  type Value,
  define,
  defineVariadic,
  formatDefault,
  int,
  int64,
  intSlice,
  withType,
} from "@landscaper/golang";
import { fitsInt64 } from "@landscaper/goyaml";
import { atoi, toFloat64, toInt64 } from "./cast.ts";
import {
  addDecimals,
  decimalOf,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
  toNumber,
  type DecimalNumber,
} from "./decimal-arithmetic.ts";

function divide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new FunctionError("runtime error: integer divide by zero");
  return a / b;
}

function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new FunctionError("runtime error: integer divide by zero");
  return a % b;
}

/** Folds the values as decimals, so that 0.1 + 0.2 is 0.3. */
function fold(
  start: Value,
  values: readonly Value[],
  operation: (a: DecimalNumber, b: DecimalNumber) => DecimalNumber,
): number {
  let result = decimalOf(toFloat64(start));
  for (const value of values) result = operation(result, decimalOf(toFloat64(value)));
  return toNumber(result);
}

function decimalFunction(operation: (a: DecimalNumber, b: DecimalNumber) => DecimalNumber): GoFunction {
  return defineVariadic(["any"], "any", ([first], rest) => fold(first, rest, operation));
}

/** What an item counts of a budget, beside a character. */
const unitsPerItem = 16;

/** The integers from `start` to before `stop`. */
function range(start: bigint, stop: bigint, { step, context }: { step: bigint; context: CallContext }): bigint[] {
  const items: bigint[] = [];
  if (stop < start ? step >= 0n : step <= 0n) return items;
  const distance = stop < start ? start - stop : stop - start;
  context.charge(Number(distance / (step < 0n ? -step : step)) * unitsPerItem);
  for (let i = start; stop < start ? i > stop : i < stop; i += step) items.push(i);
  return items;
}

function intList(items: readonly bigint[]): GoSlice {
  const list: GoSlice = items.map((item) => int(item));
  return withType(list, intSlice);
}

function sequence(params: readonly GoInt[], context: CallContext): string {
  const [a = 0n, b = 0n, c = 0n] = params.map(({ value }) => value);
  switch (params.length) {
    case 1: {
      const step = a < 1n ? -1n : 1n;
      return range(1n, a + step, { step, context }).join(" ");
    }
    case 2: {
      const step = b < a ? -1n : 1n;
      return range(a, b + step, { step, context }).join(" ");
    }
    case 3: {
      const isDown = c < a;
      if (isDown && b > 0n) return "";
      return range(a, c + (isDown ? -1n : 1n), { step: b, context }).join(" ");
    }
    default:
      return "";
  }
}

function octal(value: Value): bigint {
  const text = formatDefault(value ?? null);
  if (!/^[+-]?[0-7]+$/.test(text)) return 0n;
  const digits = text.replace(/^[+-]?0*/, "");
  if (digits.length > 30) return 0n;
  const magnitude = BigInt(`0o${digits === "" ? "0" : digits}`);
  const result = text.startsWith("-") ? -magnitude : magnitude;
  return fitsInt64(result) ? result : 0n;
}

function round(value: number, places: number, roundOn: number): number {
  const power = 10 ** places;
  const digit = power * value;
  const fraction = digit - Math.trunc(digit);
  return (fraction >= roundOn ? Math.ceil(digit) : Math.floor(digit)) / power;
}

const largest = defineVariadic(["any"], "any", ([first], rest) =>
  int64(rest.map(toInt64).reduce((a, b) => (b > a ? b : a), toInt64(first))),
);

/** Arithmetic: int64 that wraps around, decimals for the functions that end in f. */
export const numberFunctions: FunctionMap = {
  atoi: define(["string"], ([text]) => int(atoi(text))),
  int: define(["any"], ([value]) => int(toInt64(value))),
  int64: define(["any"], ([value]) => int64(toInt64(value))),
  float64: define(["any"], ([value]) => toFloat64(value)),
  toDecimal: define(["any"], ([value]) => int64(octal(value))),
  add: defineVariadic([], "any", (_, values) => int64(values.reduce((sum: bigint, value) => sum + toInt64(value), 0n))),
  add1: define(["any"], ([value]) => int64(toInt64(value) + 1n)),
  sub: define(["any", "any"], ([a, b]) => int64(toInt64(a) - toInt64(b))),
  mul: defineVariadic(["any"], "any", ([first], rest) =>
    int64(rest.reduce((product: bigint, value) => BigInt.asIntN(64, product * toInt64(value)), toInt64(first))),
  ),
  div: define(["any", "any"], ([a, b]) => int64(divide(toInt64(a), toInt64(b)))),
  mod: define(["any", "any"], ([a, b]) => int64(remainder(toInt64(a), toInt64(b)))),
  max: largest,
  biggest: largest,
  min: defineVariadic(["any"], "any", ([first], rest) =>
    int64(rest.map(toInt64).reduce((a, b) => (b < a ? b : a), toInt64(first))),
  ),
  maxf: defineVariadic(["any"], "any", ([first], rest) => Math.max(toFloat64(first), ...rest.map(toFloat64))),
  minf: defineVariadic(["any"], "any", ([first], rest) => Math.min(toFloat64(first), ...rest.map(toFloat64))),
  add1f: define(["any"], ([value]) => fold(value, [1], addDecimals)),
  addf: defineVariadic([], "any", (_, values) => fold(0, values, addDecimals)),
  subf: decimalFunction(subtractDecimals),
  mulf: decimalFunction(multiplyDecimals),
  divf: decimalFunction(divideDecimals),
  ceil: define(["any"], ([value]) => Math.ceil(toFloat64(value))),
  floor: define(["any"], ([value]) => Math.floor(toFloat64(value))),
  round: defineVariadic(["any", "int"], "float64", ([value, places], [roundOn]) =>
    round(toFloat64(value), places.toNumber(), roundOn ?? 0.5),
  ),
  until: define(["int"], ([count], context) =>
    intList(range(0n, count.value, { step: count.value < 0n ? -1n : 1n, context })),
  ),
  untilStep: define(["int", "int", "int"], ([start, stop, step], context) =>
    intList(range(start.value, stop.value, { step: step.value, context })),
  ),
  seq: defineVariadic([], "int", (_, params, context) => sequence(params, context)),
};
