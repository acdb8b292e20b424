import type { Environment } from "../../evaluate/environment.ts";
import { failLocally } from "../../evaluate/failure.ts";
import type { Value } from "../../value/value.ts";
import { shownType } from "../arguments.ts";
import type { Outcome } from "./outcome.ts";

/** What a validator is given: a value, and what follows its name in the condition. */
export interface Check {
  /** The validator's name. */
  readonly name: string;
  readonly value: Value;
  readonly args: readonly Value[];
  readonly environment: Environment;
  /** Checks another condition. */
  readonly check: (value: Value, condition: Value) => Outcome;
}

export type Validator = (check: Check) => Outcome;
export type ValidatorTable = ReadonlyMap<string, Validator>;

/** The value as text, which the validator needs. */
export function textOf({ name, value }: Check): string {
  return typeof value === "string" ? value : failLocally(`${name} requires string, but got ${shownType(value)}`);
}
