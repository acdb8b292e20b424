import type { GoInt } from "./go-int.ts";
import type { CallContext, GoFunction, GoMap, GoObject, GoSlice, ParamType, Value } from "./value.ts";

/** The JavaScript value that a function is given for a parameter of each type. */
interface ArgumentOf {
  any: Value;
  value: Value;
  string: string;
  bool: boolean;
  int: GoInt;
  int64: GoInt;
  uint32: GoInt;
  float64: number;
  map: GoMap;
  list: GoSlice;
  strings: GoSlice;
  bytes: Uint8Array;
  "time.Time": GoObject;
  "sprig.certificate": GoObject;
}

type Arguments<P extends readonly ParamType[]> = { [I in keyof P]: ArgumentOf[P[I]] };

/** A function of fixed parameters: `define(["int", "string"], (count, text) => ...)`. */
export function define<const P extends readonly ParamType[]>(
  params: P,
  call: (args: Arguments<P>, context: CallContext) => Value,
): GoFunction {
  // The executor checks and converts arguments by `params` before it calls.
  return {
    kind: "function",
    params,
    rest: undefined,
    call,
  };
}

/** A function with a variadic last parameter; the variadic arguments come as one list. */
export function defineVariadic<const P extends readonly ParamType[], R extends ParamType>(
  params: P,
  rest: R,
  call: (args: Arguments<P>, rest: ArgumentOf[R][], context: CallContext) => Value,
): GoFunction {
  // As above: checked by the executor.
  const checked = call as unknown as (args: readonly Value[], rest: readonly Value[], context: CallContext) => Value;
  const count = params.length;
  return {
    kind: "function",
    params,
    rest,
    call:
      count === 0
        ? (args, context) => checked([], args, context)
        : (args, context) => checked(args, args.slice(count), context),
  };
}

/**
 * Marks a function that does not go through all that lists and maps contain. Others are charged for all of it, so that
 * no template keeps them busy with large values, or with small ones that contain each other.
 */
export function shallow(fn: GoFunction): GoFunction {
  return { ...fn, isShallow: true };
}

/** Marks a function that takes this many times the work or memory of a plain copy of its arguments. */
export function costly(costFactor: number, fn: GoFunction): GoFunction {
  return { ...fn, costFactor };
}

/** Functions by name, as templates call them. */
export type FunctionMap = Readonly<Record<string, GoFunction>>;
