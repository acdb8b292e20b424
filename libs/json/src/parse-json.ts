import type { Float64Value, JsonValue } from "./json-value.ts";
import { endOfLiteral, parseText } from "./parse-text.ts";
import { canonicalInteger } from "./float64.ts";
import { definePrinting } from "./print-bigint.ts";
import { unusedMark } from "./unused-mark.ts";

// Defines printing here because every reader of exact values may print them. Bundlers would drop an import for its side effect alone.
definePrinting();

/** Decimal digits of 2^53-1; shorter integers are exact as a number. */
const digitsOfNumber = 16;
/** Longer tokens are beyond 64 bits; BigInt() takes more than linear time. */
const maxTokenLength = "-9223372036854775808".length;

/** Returns the value of a JSON text with exact integers (see JsonValue). Throws what JSON.parse throws. */
export function parseJson(text: string): JsonValue {
  return parseExact(text, wideIntegers(text));
}

/** As `parseJson`, but reads integers beyond int64 as float64, as API servers do. */
export function parseInt64Json(text: string): JsonValue {
  return parseExact(
    text,
    wideIntegers(text).filter(({ value }) => BigInt.asIntN(64, value) === value),
  );
}

function parseExact(text: string, candidates: readonly WideInteger[]): JsonValue {
  if (candidates.length === 0) return parseText(text) as JsonValue; // JSON
  // A mark inside a string ends that string, which is a syntax error. Only then does this search for strings.
  const value = parseWithMarks(text, candidates) ?? parseWithMarks(text, outsideOfTexts(text, candidates));
  return (value ?? parseText(text)) as JsonValue; // JSON; throws with the positions of the original text
}

/** Returns the value of a JSON text with all numbers as float64. Throws what JSON.parse throws. */
export function parseFloat64Json(text: string): Float64Value {
  return parseText(text) as Float64Value; // JSON
}

interface WideInteger {
  readonly start: number;
  readonly end: number;
  readonly value: bigint;
}

/** Finds what looks like integers that become a bigint. Reads one character of 16: a run of 16 digits has one of them. */
function wideIntegers(text: string): WideInteger[] {
  const found: WideInteger[] = [];
  for (let index = digitsOfNumber - 1; index < text.length; index += digitsOfNumber) {
    if (!isDigit(text, index)) continue;
    let start = index;
    while (start > 0 && isDigit(text, start - 1)) start -= 1;
    let end = index + 1;
    while (end < text.length && isDigit(text, end)) end += 1;
    if (end - start < digitsOfNumber) continue;
    if (text[start - 1] === "-") start -= 1;
    const value = end - start > maxTokenLength ? undefined : wideInteger(text, start, end);
    if (value !== undefined) found.push({ start, end, value });
    while (index + digitsOfNumber < end) index += digitsOfNumber;
  }
  return found;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

/** Returns the bigint of a token at a value position. */
function wideInteger(text: string, start: number, end: number): bigint | undefined {
  const token = text.slice(start, end);
  if (!integerToken.test(token)) return undefined;
  const before = skipSpaces(text, start - 1, -1);
  const after = skipSpaces(text, end, 1);
  if (before >= 0 && !"[:,".includes(text[before] ?? "")) return undefined;
  if (after < text.length && !",]}".includes(text[after] ?? "")) return undefined;
  const value = canonicalInteger(BigInt(token));
  return typeof value === "bigint" ? value : undefined;
}

const integerToken = /^-?[1-9]\d*$/;

function skipSpaces(text: string, from: number, step: 1 | -1): number {
  let index = from;
  while (index >= 0 && index < text.length && " \t\r\n".includes(text.charAt(index))) index += step;
  return index;
}

function outsideOfTexts(text: string, candidates: readonly WideInteger[]): readonly WideInteger[] {
  const found: WideInteger[] = [];
  let from = 0;
  let quote = text.indexOf('"');
  for (const candidate of candidates) {
    while (quote !== -1 && quote < candidate.start) {
      const last = endOfLiteral(text, quote);
      if (last === -1) return found;
      from = last + 1;
      quote = text.indexOf('"', from);
    }
    if (candidate.start >= from) found.push(candidate);
  }
  return found;
}

/** Returns undefined if the marked text is not valid JSON. */
function parseWithMarks(text: string, integers: readonly WideInteger[]): unknown {
  if (integers.length === 0) return undefined;
  const prefix = unusedPrefix(text);
  try {
    return restoreIntegers(parseText(withMarks(text, integers, prefix)), integers, prefix);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const escapedCode = /\\u([0-9a-fA-F]{4})/g;

/** Returns a prefix that no string of the JSON text contains, neither plain nor with escapes. */
function unusedPrefix(text: string): string {
  return unusedMark([text.includes(String.raw`\u`) ? text.replaceAll(escapedCode, decodeEscape) : text]);
}

function decodeEscape(_: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

/** Writes a text with the integer's index for each integer. No key is replaced: a colon would follow. */
function withMarks(text: string, integers: readonly WideInteger[], prefix: string): string {
  let marked = "";
  let position = 0;
  for (const [index, { start, end }] of integers.entries()) {
    marked += `${text.slice(position, start)}"${prefix}${index}"`;
    position = end;
  }
  return marked + text.slice(position);
}

type Container = Record<string | number, unknown>;

/** Replaces the marks in the value. */
function restoreIntegers(value: unknown, integers: readonly WideInteger[], prefix: string): unknown {
  const root: Container = { value };
  const open: Container[] = [root];
  let left = integers.length;
  /** Returns how many marks it has replaced. */
  const restore = (container: Container, key: string | number): number => {
    const item = container[key];
    if (typeof item === "object") {
      if (item !== null) open.push(item as Container); // an array has indices
    } else if (typeof item === "string" && item.startsWith(prefix)) {
      container[key] = integers[Number(item.slice(prefix.length))]?.value;
      return 1;
    }
    return 0;
  };
  // Equal keys can have replaced some of them: then this reads all.
  for (let container = open.pop(); container !== undefined && left > 0; container = open.pop()) {
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index += 1) left -= restore(container, index);
    } else for (const key in container) left -= restore(container, key); // parsed JSON: no class, and no list of keys is made
  }
  return root["value"];
}
