import type { Float64Value, JsonValue } from "./json-value.ts";
import { endOfLiteral, parseText } from "./parse-text.ts";
import { canonicalInteger } from "./float64.ts";
import { definePrinting } from "./print-bigint.ts";

// Whoever reads exact values prints them. Bundlers would drop an import for its side effect alone.
definePrinting();

/** Decimal digits of 2^53-1; shorter integers are exact as a number. */
const digitsOfNumber = 16;
/** Longer tokens are beyond 64 bits; BigInt() takes more than linear time. */
const maxTokenLength = "-9223372036854775808".length;

/** Returns the value of a JSON text with exact integers (see JsonValue). Throws what JSON.parse throws. */
export function parseJson(text: string): JsonValue {
  const integers = hasDigitRun(text) ? wideIntegers(text) : [];
  if (integers.length === 0) return parseText(text) as JsonValue; // JSON
  const marker = unusedKey(text);
  let value: unknown;
  try {
    value = parseText(withMarks(text, integers, marker));
  } catch {
    return parseText(text) as JsonValue; // throws with the positions of the original text
  }
  return restoreIntegers(value, integers, marker) as JsonValue; // JSON
}

/** Returns the value of a JSON text with all numbers as float64. Throws what JSON.parse throws. */
export function parseFloat64Json(text: string): Float64Value {
  return parseText(text) as Float64Value; // JSON
}

/** Reads one character of 16, because a run of 16 digits has one at a multiple of 16. */
function hasDigitRun(text: string): boolean {
  for (let index = digitsOfNumber - 1; index < text.length; index += digitsOfNumber) {
    if (!isDigit(text, index)) continue;
    let start = index;
    while (start > 0 && isDigit(text, start - 1)) start -= 1;
    let end = index + 1;
    while (end < text.length && isDigit(text, end)) end += 1;
    if (end - start >= digitsOfNumber) return true;
  }
  return false;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

interface WideInteger {
  readonly start: number;
  readonly end: number;
  readonly value: bigint;
}

const numberToken = /-?\d[\d.eE+-]*/g;
const integerToken = /^-?[1-9]\d*$/;

/** Finds the integers of a JSON text that become a bigint. Texts are skipped. */
function wideIntegers(text: string): WideInteger[] {
  const found: WideInteger[] = [];
  for (let from = 0; from < text.length;) {
    const quote = text.indexOf('"', from);
    const to = quote === -1 ? text.length : quote;
    if (to - from >= digitsOfNumber) collectIntegers(text, { from, to }, found);
    if (quote === -1) return found;
    const last = endOfLiteral(text, quote);
    if (last === -1) return found;
    from = last + 1;
  }
  return found;
}

function collectIntegers(text: string, { from, to }: { from: number; to: number }, found: WideInteger[]): void {
  for (const { 0: token, index } of text.slice(from, to).matchAll(numberToken)) {
    if (token.length < digitsOfNumber || token.length > maxTokenLength || !integerToken.test(token)) continue;
    const value = canonicalInteger(BigInt(token));
    if (typeof value !== "bigint") continue;
    found.push({ start: from + index, end: from + index + token.length, value });
  }
}

const escapedCode = /\\u([0-9a-fA-F]{4})/g;

/** Returns a key that no object of the text has, neither plain nor with escapes. */
function unusedKey(text: string): string {
  const plain = text.includes(String.raw`\u`) ? text.replaceAll(escapedCode, decodeEscape) : text;
  let key = "int64";
  while (plain.includes(key)) key += "-";
  return key;
}

function decodeEscape(_: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

/** Writes an object with the integer's index for each integer. Objects are only allowed where numbers are. */
function withMarks(text: string, integers: readonly WideInteger[], marker: string): string {
  let marked = "";
  let position = 0;
  for (const [index, { start, end }] of integers.entries()) {
    marked += `${text.slice(position, start)}{"${marker}":${index}}`;
    position = end;
  }
  return marked + text.slice(position);
}

/** Replaces the marks in the value. */
function restoreIntegers(value: unknown, integers: readonly WideInteger[], marker: string): unknown {
  const root: Record<string, unknown> = { value };
  const open: Record<string, unknown>[] = [root];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const key of Object.keys(container)) {
      const item = container[key];
      if (typeof item !== "object" || item === null) continue;
      const members = item as Record<string, unknown>; // arrays have their indices as keys
      const index = marker in members ? members[marker] : undefined;
      if (typeof index === "number") container[key] = integers[index]?.value;
      else open.push(members);
    }
  }
  return root["value"];
}
