import type { Environment } from "../evaluate/environment.ts";
import type { Value } from "../value/value.ts";

/** A function of the language. Arguments are complete values; mistakes are thrown by failLocally. */
export type SpiffFunction = (args: readonly Value[], environment: Environment) => Value;

export type FunctionTable = ReadonlyMap<string, SpiffFunction>;
