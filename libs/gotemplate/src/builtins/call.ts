import { type CallContext, FunctionError, type Value, isFunction, typeName } from "@landscaper/golang";
import { isAssignable, nilOf, paramTypeName } from "../exec/param-type.ts";

/** The built-in `call`: calls a function that is a value. `name` is the callee's source text. */
export function callFunction(
  name: string,
  { fn, args }: { fn: Value; args: readonly Value[] },
  context: CallContext,
): Value {
  if (fn === undefined || fn === null) throw new FunctionError("call of nil");
  if (!isFunction(fn)) throw new FunctionError(`non-function ${name} of type ${typeName(fn)}`);
  const fixed = fn.params.length;
  if (fn.rest === undefined ? args.length !== fixed : args.length < fixed) {
    const want = fn.rest === undefined ? `${fixed}` : `at least ${fixed}`;
    throw new FunctionError(`wrong number of args for ${name}: got ${args.length} want ${want}`);
  }
  const prepared = args.map((arg, i) => {
    const type = fn.params[i] ?? fn.rest ?? "any";
    const value = arg === undefined || arg === null ? nilOf(type) : arg;
    if (value === undefined)
      throw new FunctionError(`arg ${i}: value is nil; should be of type ${paramTypeName(type)}`);
    if (!isAssignable(value, type)) {
      throw new FunctionError(`arg ${i}: value has type ${typeName(value)}; should be ${paramTypeName(type)}`);
    }
    return value;
  });
  return fn.call(prepared, context);
}
