import type { Environment } from "../evaluate/environment.ts";
import type { Value } from "../value/value.ts";
import { Arguments } from "./arguments.ts";
import type { SpiffFunction } from "./function-table.ts";

type Definition = (args: Arguments, environment: Environment) => Value;

/** Functions by name; each gets its arguments with checks. */
export function defineFunctions(definitions: Readonly<Record<string, Definition>>): [string, SpiffFunction][] {
  return Object.entries(definitions).map(([name, define]) => [
    name,
    (values, environment) => define(new Arguments(name, values), environment),
  ]);
}
