import {
  baseName,
  byteLength,
  directoryName,
  lowerCase,
  sliceBytes,
  trimCharacters,
  upperCase,
} from "@landscaper/golang";
import { listOf } from "../../value/build-value.ts";
import { undefinedValue, type Value } from "../../value/value.ts";
import { failLocally, quoting, withheld, type Message } from "../../evaluate/failure.ts";
import type { Environment } from "../../evaluate/environment.ts";
import { Arguments } from "../arguments.ts";
import { charged } from "../charge.ts";
import { defineFunctions } from "../define-functions.ts";
import { formatText } from "./format-text.ts";
import { describeUrl, pathOfUrl } from "./parse-url.ts";

/** Functions on text. Lengths and indices count bytes of UTF-8. */
export const textFunctions = defineFunctions({
  join,
  split,
  trim,
  substr,
  upper: (args, environment) => charged(upperCase(onlyText(args)), environment),
  lower: (args, environment) => charged(lowerCase(onlyText(args)), environment),
  format: (args, environment) =>
    args.values.includes(undefinedValue) ? undefinedValue : formatText(args, environment),
  error: (args, environment) => failLocally(authorsMessage(args, environment)),
  basename: (args) => (pathOf(args) === "" ? "/" : baseName(pathOf(args))),
  dirname: (args) => (pathOf(args) === "" ? "/" : directoryName(pathOf(args))),
  parseurl: describeUrl,
});

/** What `error` says: the format is the author's own words, what is put into it is data. */
function authorsMessage(args: Arguments, environment: Environment): Message {
  const [format = null, ...data] = args.values;
  return {
    text: formatText(args, environment),
    safeText: formatText(new Arguments("error", [format, ...data.map(() => withheld)]), environment),
  };
}

function onlyText(args: Arguments): string {
  args.count(1, 1, `${args.name} requires one argument`);
  return args.text(0);
}

function pathOf(args: Arguments): string {
  args.count(1, 1, `function ${args.name} takes exactly one argument`);
  return pathOfUrl(args.text(0, `string argument expected for function ${args.name}`));
}

/** join(separator, values...): lists stand for their entries, null for nothing. */
function join(args: Arguments, environment: Environment): Value {
  args.count(1, Number.POSITIVE_INFINITY, "join requires a separator");
  if (args.values.includes(undefinedValue)) return undefinedValue;
  const parts: string[] = [];
  const [separator, ...rest] = args.values.filter((value) => value !== null);
  if (separator === undefined) return failLocally("join requires a separator");
  const text = simpleText(separator) ?? failLocally(notSimple(separator, 0));
  rest.forEach((value, index) => {
    if (typeof value === "object" && value?.kind === "list") {
      for (const cell of value.items) {
        parts.push(
          simpleText(cell.value) ?? failLocally(`elements of list(arg ${index + 1}) to join must be simple values`),
        );
      }
    } else parts.push(simpleText(value) ?? failLocally(notSimple(value, index + 1)));
  });
  environment.document.budget.charge(text.length * parts.length + parts.length);
  return charged(parts.join(text), environment);
}

function notSimple(value: Value, index: number): string {
  return typeof value === "object" && value?.kind === "list"
    ? "first argument for join must be a string"
    : `argument ${index} to join must be simple value or list`;
}

function simpleText(value: Value): string | undefined {
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

/** split(separator or width, text, limit). */
function split(args: Arguments, { document }: Environment): Value {
  args.count(2, 3, "split takes 2 or 3 arguments");
  const text = args.text(1);
  const limit = Number(args.optionalInteger(2, -1n));
  const separator = args.at(0);
  document.budget.chargeEntries(mostParts(text, separator));
  if (typeof separator === "bigint") return listOf(chunks(text, Number(separator), limit));
  const parts = args.text(0) === "" ? Array.from(text) : text.split(args.text(0));
  return listOf(limited(parts, limit, args.text(0)));
}

/** Number of parts that a text is split into without a limit. */
function mostParts(text: string, separator: Value): number {
  if (typeof separator === "bigint") return text.length / Math.max(1, Number(separator)) + 1;
  if (typeof separator !== "string" || separator === "") return text.length;
  let count = 1;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length)) count++;
  return count;
}

function limited(parts: readonly string[], limit: number, separator: string): readonly string[] {
  if (limit === 0) return [];
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

/** Pieces of `width` characters; the last one takes the rest when their number is limited. */
function chunks(text: string, width: number, limit: number): string[] {
  if (width < 1) return failLocally("max line length argument must be positive");
  const characters = Array.from(text);
  const most = limit === 0 ? 1 : limit;
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += width) {
    const isLast = most > 0 && parts.length === most - 1;
    parts.push(characters.slice(start, isLast ? undefined : start + width).join(""));
    if (isLast) break;
  }
  return parts;
}

function trim(args: Arguments, { document }: Environment): Value {
  args.count(1, 2, "trim takes one or two arguments");
  const cutset = args.length > 1 ? args.text(1) : " \t";
  const value = args.at(0);
  if (typeof value === "string") return trimCharacters(value, cutset);
  if (typeof value !== "object" || value?.kind !== "list") return failLocally("trim accepts only a string or list");
  document.budget.chargeEntries(value.items.length);
  return listOf(
    value.items.map(({ value: text }) => {
      if (typeof text !== "string") return failLocally("list elements must be strings to be trimmed");
      const trimmed = trimCharacters(text, cutset);
      document.budget.spend((text.length - trimmed.length + cutset.length) / 20_000, args.name);
      return trimmed;
    }),
  );
}

/** substr(text, from, to): bytes; negative positions count from the end. */
function substr(args: Arguments): Value {
  args.count(2, 3, "substr takes two to three arguments");
  const text = args.text(0);
  const length = byteLength(text);
  const from = fromEnd(args.integer(1), length);
  const to = fromEnd(args.optionalInteger(2, BigInt(length)), length);
  if (from > to) return failLocally(quoting`substr start index (${from}) after end index (${to})`);
  if (from < 0) return failLocally(quoting`negative substr effective start index (${from})`);
  if (to > length) return failLocally(quoting`substr effective end index (${to}) exceeds string length (${length})`);
  return sliceBytes(text, from, to);
}

function fromEnd(index: bigint, length: number): number {
  return index < 0n ? length + Number(index) : Number(index);
}
