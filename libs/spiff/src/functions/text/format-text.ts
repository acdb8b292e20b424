import { int64, sprintf, type Value as GoValue } from "@landscaper/golang";
import type { Environment } from "../../evaluate/environment.ts";
import { failLocally } from "../../evaluate/failure.ts";
import { printLambdaValue } from "../../output/print-lambda-value.ts";
import { yamlText } from "../../output/yaml-text.ts";
import type { Value } from "../../value/value.ts";
import type { Arguments } from "../arguments.ts";
import { chargedPlain } from "../charge.ts";

/** Longest text of one directive: Go pads up to a million characters. */
const longestDirective = 1_000_000;

/** Go's Sprintf of the arguments; lists, maps and lambdas are turned into text first. */
export function formatText(args: Arguments, environment: Environment): string {
  const { budget } = environment.document;
  args.count(1, Number.POSITIVE_INFINITY, `alt least one argument required for '${args.name}'`);
  const [format, ...values] = args.values.map((value) => printable(value, environment));
  if (typeof format !== "string") return failLocally(`${args.name}: format must be string`);
  // Widths and precisions make text: they are paid for before it is made.
  for (const [number] of format.matchAll(/[0-9]+/g)) budget.charge(Math.min(Number(number), longestDirective));
  if (format.includes("*")) {
    for (const value of args.values) {
      if (typeof value === "bigint") budget.charge(Math.min(Math.abs(Number(value)), longestDirective));
    }
  }
  // By its number an argument can be printed again and again.
  const uses = format.includes("[") ? format.split("%").length : 1;
  budget.charge(uses * values.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0));
  const text = sprintf(format, values);
  budget.charge(text.length);
  return text;
}

function printable(value: Value, environment: Environment): GoValue {
  if (typeof value === "bigint") return int64(value);
  if (typeof value !== "object" || value === null) return value;
  return value.kind === "lambda" ? printLambdaValue(value) : yamlText(chargedPlain(value, environment));
}
