import type { Environment } from "../evaluate/environment.ts";
import type { Value } from "../value/value.ts";
import { Arguments } from "./arguments.ts";
import type { SpiffFunction } from "./function-table.ts";

type Definition = (args: Arguments, environment: Environment) => Value;

/** Functions by name; each gets its arguments with checks. */
export function defineFunctions(definitions: Readonly<Record<string, Definition>>): [string, SpiffFunction][] {
  return Object.entries(definitions).map(([name, define]) => [
    name,
    (values, environment) => {
      chargeTexts(name, values, environment);
      return define(new Arguments(name, values), environment);
    },
  ]);
}

/** Characters that the usual function goes through in a millisecond. */
const charactersPerMs = 200_000;

/** Accounts for going through long texts: most functions do that. */
function chargeTexts(name: string, values: readonly Value[], { document }: Environment): void {
  const length = values.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
  if (length > 1000) document.budget.spend(length / charactersPerMs, name);
}
