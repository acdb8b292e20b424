import { listOf } from "../../value/build-value.ts";
import { Cell } from "../../value/cell.ts";
import type { LambdaParameter, LambdaValue, Value } from "../../value/value.ts";
import { failLocally } from "../failure.ts";

/** Arguments of a call; named ones carry a parameter's name or its number from 1. */
export interface CallArguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** The values of all parameters. A lambda of the open parameters when there are too few arguments and no defaults. */
export function bindArguments(lambda: LambdaValue, args: CallArguments): ReadonlyMap<string, Value> | LambdaValue {
  if (isComplete(lambda, args)) return allValues(lambda.parameters, args.positional);
  const given = assign(lambda, args);
  const isOpen = (parameter: LambdaParameter, index: number): boolean =>
    given[index] === undefined && !parameter.isRest && parameter.defaultValue === undefined;
  const missing = lambda.parameters.filter(isOpen);
  const [first] = missing;
  if (first === undefined) return allValues(lambda.parameters, given);
  if (args.named.size > 0) return failLocally(`missing named argument for ${first.name}`);
  const optional = lambda.parameters.filter(({ isRest, defaultValue }) => isRest || defaultValue !== undefined).length;
  if (optional === 0) return curryGiven(lambda, given);
  const least = lambda.parameters.length - optional;
  return failLocally(
    `expected at least ${least} arguments (${optional} optional), but found ${args.positional.length}`,
  );
}

/** One argument for each parameter, as in nearly all calls. */
function isComplete({ parameters }: LambdaValue, { positional, named }: CallArguments): boolean {
  return named.size === 0 && positional.length === parameters.length && parameters.at(-1)?.isRest !== true;
}

function allValues(
  parameters: readonly LambdaParameter[],
  given: readonly (Value | undefined)[],
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  let index = 0;
  for (const parameter of parameters) {
    const value = given[index++];
    // Null is an argument.
    values.set(parameter.name, value === undefined ? fallbackOf(parameter) : value);
  }
  return values;
}

function fallbackOf({ isRest, defaultValue = null }: LambdaParameter): Value {
  return isRest ? listOf([]) : defaultValue;
}

/** `f*(..)`: the lambda of the parameters that are still open. */
export function curry(lambda: LambdaValue, args: CallArguments): LambdaValue {
  return curryGiven(lambda, assign(lambda, args));
}

function curryGiven(lambda: LambdaValue, given: readonly (Value | undefined)[]): LambdaValue {
  const bound = new Map<string, Cell>();
  for (const [index, { name }] of lambda.parameters.entries()) {
    const value = given[index];
    if (value !== undefined) bound.set(name, new Cell(value));
  }
  const parameters = lambda.parameters.filter((_, index) => given[index] === undefined);
  return lambda.changed({ parameters, captured: [...lambda.captured, bound] });
}

/** The argument of each parameter; undefined where there is none. */
function assign(lambda: LambdaValue, args: CallArguments): (Value | undefined)[] {
  const { parameters } = lambda;
  const given = assignNamed(parameters, args.named);
  for (const [index, value] of args.positional.entries()) {
    const parameter = parameters[index];
    if (parameter === undefined) {
      return failLocally(`found ${args.positional.length} argument(s), but expects ${parameters.length}`);
    }
    if (given[index] !== undefined) {
      const place = `positional (${index + 1}) and named argument`;
      return failLocally(`both, ${place} found for lambda parameter ${parameter.name}`);
    }
    given[index] = parameter.isRest ? listOf(args.positional.slice(index)) : value;
    if (parameter.isRest) break;
  }
  return given;
}

function assignNamed(parameters: readonly LambdaParameter[], named: CallArguments["named"]): (Value | undefined)[] {
  const given: (Value | undefined)[] = parameters.map(() => undefined);
  for (const [key, value] of named) {
    const index = indexOfNamed(parameters, key);
    const { name = "", isRest = false } = parameters[index] ?? {};
    if (given[index] !== undefined) return failLocally(`named argument ${name} given by name and index`);
    const isList = typeof value === "object" && value?.kind === "list";
    if (isRest && !isList) return failLocally(`named varargs argument ${index + 1} (${name}) must be a list`);
    given[index] = value;
  }
  return given;
}

function indexOfNamed(parameters: readonly LambdaParameter[], key: string): number {
  if (!/^[0-9]+$/.test(key)) {
    const index = parameters.findIndex(({ name }) => name === key);
    return index < 0 ? failLocally(`no lambda parameter found for named argument ${key}`) : index;
  }
  const number = Number(key);
  if (number === 0) return failLocally(`invalid argument index ${key}`);
  if (number <= parameters.length) return number - 1;
  return failLocally(`argument index ${key} too large for ${parameters.length} parameters`);
}
