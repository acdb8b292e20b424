import { type GoMap, GoRegExp } from "@landscaper/golang";
import { isMultiple, numberOf } from "./json-values.ts";
import type { Draft } from "./schema-positions.ts";
import { type Failure, quoted } from "./schema-failure.ts";
import { gotWant } from "./validate-object.ts";

/** What the keywords for strings say of one. */
export function stringFailures({ value, at }: { value: string; at: string }, schema: GoMap): Failure[] {
  const texts: string[] = [];
  const minimum = numberOf(schema.get("minLength"));
  const maximum = numberOf(schema.get("maxLength"));
  const length = minimum === undefined && maximum === undefined ? 0 : Array.from(value).length;
  if (minimum !== undefined && length < minimum) texts.push(`minLength: ${gotWant(length, minimum)}`);
  if (maximum !== undefined && length > maximum) texts.push(`maxLength: ${gotWant(length, maximum)}`);
  const pattern = schema.get("pattern");
  if (typeof pattern === "string" && !GoRegExp.compile(pattern).test(value)) {
    texts.push(`${quoted(value)} does not match pattern ${quoted(pattern)}`);
  }
  return texts.map((text) => ({ at, text, causes: [] }));
}

/** What the keywords for numbers say of one. */
export function numberFailures({ value, at }: { value: number; at: string }, schema: GoMap, draft: Draft): Failure[] {
  const texts: string[] = [];
  const bound = (
    keyword: string,
    isBroken: (limit: number) => boolean,
    limit = numberOf(schema.get(keyword)),
  ): void => {
    if (limit !== undefined && isBroken(limit)) texts.push(`${keyword}: ${gotWant(value, limit)}`);
  };
  // In draft 4 a boolean beside a bound makes it exclusive.
  const exclusive = (keyword: string, inclusive: string): number | undefined =>
    draft === 4 && schema.get(keyword) === true ? numberOf(schema.get(inclusive)) : numberOf(schema.get(keyword));
  if (!(draft === 4 && schema.get("exclusiveMinimum") === true)) bound("minimum", (limit) => value < limit);
  if (!(draft === 4 && schema.get("exclusiveMaximum") === true)) bound("maximum", (limit) => value > limit);
  bound("exclusiveMinimum", (limit) => value <= limit, exclusive("exclusiveMinimum", "minimum"));
  bound("exclusiveMaximum", (limit) => value >= limit, exclusive("exclusiveMaximum", "maximum"));
  bound("multipleOf", (step) => !isMultiple(value, step));
  return texts.map((text) => ({ at, text, causes: [] }));
}
