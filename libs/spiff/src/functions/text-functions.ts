import { listOf } from "../value/build-value.ts";
import { typeName, type Value } from "../value/value.ts";
import { failLocally, withheld, type Message } from "../evaluate/failure.ts";
import { callLambda } from "../evaluate/lambda.ts";
import type { Environment } from "../evaluate/environment.ts";
import { Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";
import { compilePattern, expandReplacement, findMatches, splitByPattern } from "./go-pattern.ts";
import { formatText } from "./format-text.ts";

/** Functions on text (spiff.md §3.9). Lengths and indices count bytes of UTF-8. */
export const textFunctions = defineFunctions({
  join,
  split,
  split_match: splitMatch,
  trim,
  replace,
  replace_match: replaceMatch,
  substr,
  match,
  upper: (args) => (args.count(1, 1), args.text(0).toUpperCase()),
  lower: (args) => (args.count(1, 1), args.text(0).toLowerCase()),
  format: (args, environment) => charged(formatText(args), environment),
  error: (args) =>
    failLocally(args.length === 0 ? "alt least one argument required for 'error'" : authorsMessage(args)),
  basename: (args) => (args.count(1, 1), baseName(args.text(0))),
  dirname: (args) => (args.count(1, 1), directoryName(args.text(0))),
});

function charged(text: string, { document }: Environment): string {
  document.budget.charge(text.length);
  return text;
}

function join(args: Arguments, environment: Environment): Value {
  args.count(1);
  const parts: string[] = [];
  const [separator, ...rest] = args.values;
  rest.forEach((value, index) => {
    if (typeof value === "object" && value?.kind === "list") {
      for (const cell of value.items) {
        parts.push(
          simpleText(cell.value) ?? failLocally(`elements of list(arg ${index + 1}) to join must be simple values`),
        );
      }
    } else if (value !== null) {
      parts.push(simpleText(value) ?? failLocally(`argument ${index + 1} to join must be simple value or list`));
    }
  });
  const text = simpleText(separator ?? null) ?? failLocally("first argument for join must be a string");
  return charged(parts.join(text), environment);
}

function simpleText(value: Value): string | undefined {
  return typeof value === "string" || typeof value === "bigint" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

function split(args: Arguments, { document }: Environment): Value {
  args.count(2, 3);
  const text = args.text(1);
  const limit = Number(args.optionalInteger(2, -1n));
  const separator = args.at(0);
  document.budget.charge(text.length);
  if (typeof separator === "bigint") return listOf(chunks(text, Number(separator), limit));
  const parts = args.text(0) === "" ? Array.from(text) : text.split(args.text(0));
  return listOf(limited(parts, limit, args.text(0)));
}

function limited(parts: readonly string[], limit: number, separator: string): string[] {
  if (limit === 0) return [];
  if (limit < 0 || parts.length <= limit) return [...parts];
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

/** Pieces of `width` characters; the last one takes the rest when their number is limited. */
function chunks(text: string, width: number, limit: number): string[] {
  if (width < 1) return failLocally("split width must be positive");
  const characters = Array.from(text);
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += width) {
    const isLast = limit > 0 && parts.length === limit - 1;
    parts.push(characters.slice(start, isLast ? undefined : start + width).join(""));
    if (isLast) break;
  }
  return parts;
}

function splitMatch(args: Arguments, { document }: Environment): Value {
  args.count(2, 3);
  const text = args.text(1);
  document.budget.charge(text.length);
  return listOf(splitByPattern(compilePattern(args.text(0)), text, Number(args.optionalInteger(2, -1n))));
}

function trim(args: Arguments): Value {
  args.count(1, 2);
  const cutset = args.length > 1 ? args.text(1) : " \t";
  const value = args.at(0);
  if (typeof value === "string") return trimText(value, cutset);
  if (typeof value !== "object" || value?.kind !== "list") return failLocally("trim accepts only a string or list");
  return listOf(
    value.items.map((cell) =>
      typeof cell.value === "string"
        ? trimText(cell.value, cutset)
        : failLocally("list elements must be strings to be trimmed"),
    ),
  );
}

function trimText(text: string, cutset: string): string {
  const cut = new Set(cutset);
  const characters = Array.from(text);
  let start = 0;
  let end = characters.length;
  while (start < end && cut.has(characters[start] ?? "")) start++;
  while (end > start && cut.has(characters[end - 1] ?? "")) end--;
  return characters.slice(start, end).join("");
}

function replace(args: Arguments, environment: Environment): Value {
  args.count(3, 4);
  const [text, from, to] = [args.text(0), args.text(1), args.text(2)];
  const limit = Number(args.optionalInteger(3, -1n));
  const parts = from === "" ? ["", ...Array.from(text), ""].slice(0, Array.from(text).length + 2) : text.split(from);
  environment.document.budget.charge(text.length + (parts.length - 1) * to.length);
  if (limit < 0 || parts.length - 1 <= limit) return parts.join(to);
  return parts.slice(0, limit + 1).join(to) + from + parts.slice(limit + 1).join(from);
}

function replaceMatch(args: Arguments, environment: Environment): Value {
  args.count(3, 4);
  const text = args.text(0);
  const replacement = args.at(2);
  const limit = Number(args.optionalInteger(3, -1n));
  let result = "";
  let position = 0;
  for (const found of findMatches(compilePattern(args.text(1)), text, limit)) {
    const inserted =
      typeof replacement === "object" && replacement?.kind === "lambda"
        ? callLambda(replacement, { positional: [listOf(found.groups)], named: new Map() }, environment)
        : expandReplacement(args.text(2), found);
    if (typeof inserted !== "string") return failLocally(`replacement must be a string, found '${typeName(inserted)}'`);
    result += text.slice(position, found.start) + inserted;
    position = found.end;
    environment.document.budget.charge(inserted.length);
  }
  return charged(result + text.slice(position), environment);
}

function match(args: Arguments): Value {
  args.count(2, 3);
  const pattern = compilePattern(args.text(0));
  const text = args.text(1);
  if (args.length === 2) return listOf(findMatches(pattern, text, 1)[0]?.groups ?? []);
  return listOf(findMatches(pattern, text, Number(args.integer(2))).map((found) => listOf(found.groups)));
}

function substr(args: Arguments): Value {
  args.count(2, 3);
  const bytes = Buffer.from(args.text(0));
  const from = position(args.integer(1), bytes.length);
  const to = position(args.optionalInteger(2, BigInt(bytes.length)), bytes.length);
  if (from > to) return failLocally(`substr start index (${from}) aftsre end index (${to})`);
  if (from < 0 || to > bytes.length) return failLocally(`substr index out of range (length ${bytes.length})`);
  return bytes.toString("utf8", from, to);
}

function position(index: bigint, length: number): number {
  return index < 0n ? length + Number(index) : Number(index);
}

function baseName(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  if (trimmed === "") return path === "" ? "." : "/";
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

function directoryName(path: string): string {
  const end = path.lastIndexOf("/");
  if (end < 0) return ".";
  const parts: string[] = [];
  for (const part of path.slice(0, end + 1).split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return path.startsWith("/") ? `/${parts.join("/")}` : parts.join("/") || ".";
}

/** What `error` says: the format is the author's own words, what is put into it is data. */
function authorsMessage(args: Arguments): Message {
  const [format = "", ...data] = args.values;
  return {
    text: formatText(args),
    safeText: formatText(new Arguments("error", [format, ...data.map(() => withheld)])),
  };
}
