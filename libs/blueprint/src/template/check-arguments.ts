import { FunctionError } from "@landscaper/golang";
import { describeType, isRecord } from "../parameter/describe-value.ts";

/** What a template function takes at one place. */
export type ArgumentType = "string" | "integer" | "map";

/** Checks the number and types of arguments; messages name the place and the type, never the value. Throws FunctionError. */
export function checkArguments(args: readonly unknown[], types: readonly ArgumentType[]): void {
  if (args.length !== types.length) {
    const expected = `${types.length} argument${types.length === 1 ? "" : "s"}`;
    throw new FunctionError(`expected ${expected} (${types.join(", ")}), found ${args.length}`);
  }
  types.forEach((type, i) => checkArgument(args[i], type, i));
}

/** Checks the argument at the index (from 0). Throws FunctionError. */
export function checkArgument(value: unknown, type: ArgumentType, index: number): void {
  if (isOfType(value, type)) return;
  throw new FunctionError(`argument ${index + 1}: expected ${wordOf(type)}, found ${describeType(value)}`);
}

function isOfType(value: unknown, type: ArgumentType): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "integer":
      return Number.isSafeInteger(value);
    case "map":
      return isRecord(value);
  }
}

function wordOf(type: ArgumentType): string {
  return type === "integer" ? "an integer" : `a ${type}`;
}
