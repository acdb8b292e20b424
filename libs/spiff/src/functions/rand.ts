import { GoRegExp, RegExpSyntaxError } from "@landscaper/golang";
import type { Environment } from "../evaluate/environment.ts";
import { failLocally, quoting } from "../evaluate/failure.ts";
import { typeName, type Value } from "../value/value.ts";
import type { SpiffFunction } from "./function-table.ts";
import { randomBytes } from "./host-access.ts";

/** `rand()`: 63 bits; `rand(n)`: from 0 up to n (or down); `rand(true)`: a bool; `rand("a-z", length)`: text. */
export const rand: SpiffFunction = (args, environment) => {
  if (args.length > 2) return failLocally("rand takes a maximum of 2 arguments");
  const [range] = args;
  if (range === undefined) return randomBelow(1n << 63n, environment);
  if (typeof range === "string") return randomText(range, args, environment);
  if (typeof range === "bigint") {
    if (args.length > 1) return failLocally("rand int takes only one argument");
    if (range === 0n) return failLocally("zero range not possible for integer random values");
    return range > 0n ? randomBelow(range, environment) : -randomBelow(-range, environment);
  }
  if (typeof range !== "boolean") return null;
  return args.length > 1 ? failLocally("rand bool takes only one argument") : randomBelow(2n, environment) === 1n;
};

/** An unbiased number from 0 up to, not with, the limit: numbers that are too large are drawn again. */
function randomBelow(limit: bigint, environment: Environment): bigint {
  const bits = (limit - 1n).toString(2).length;
  for (;;) {
    environment.document.budget.step();
    const bytes = randomBytes(Math.ceil(bits / 8), environment);
    const value = BigInt.asUintN(bits, BigInt(`0x${bytes.toString("hex")}`));
    if (value < limit) return value;
  }
}

function randomText(characters: string, [, count = 1n]: readonly Value[], environment: Environment): Value {
  if (typeof count !== "bigint") return failLocally(`rand length must be an integer, found ${typeName(count)}`);
  if (count <= 0n) return failLocally(quoting`rand length must be positive, found ${count}`);
  const { runes, suffix } = charactersOf(characters, environment);
  const length = Number(count);
  environment.document.budget.charge(length * (1 + suffix.length));
  let text = "";
  for (let index = 0; index < length; index++) {
    text += (runes[Number(randomBelow(BigInt(runes.length), environment))] ?? "") + suffix;
  }
  return text;
}

interface CharacterSet {
  readonly runes: readonly string[];
  /** Follows each character: what the specification has behind the end of its class, such as the `]` of "[a-c]" within brackets. */
  readonly suffix: string;
}

/** A class of Go's regular expressions, without its brackets. */
function charactersOf(specification: string, environment: Environment): CharacterSet {
  const pattern = `[${specification}]`;
  const end = classEnd(pattern);
  const suffix = pattern.slice(end);
  if (/[\\^$.|?*+(){}[]/.test(suffix)) {
    return failLocally(
      quoting`invalid rand character set specification "${specification}": more than one character class`,
    );
  }
  const matcher = compile(pattern, end, specification);
  const runes = candidates(specification).filter((rune) => {
    environment.document.budget.step();
    return matcher.test(rune);
  });
  return runes.length === 0
    ? failLocally(quoting`invalid rand character set specification "${specification}": no character`)
    : { runes, suffix };
}

function compile(pattern: string, end: number, specification: string): GoRegExp {
  try {
    return GoRegExp.compile(pattern.slice(0, end));
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    return failLocally(quoting`invalid rand character set specification "${specification}": ${error.message}`);
  }
}

/** Where the class that a pattern begins with ends; at the end of the pattern if it does not. */
function classEnd(pattern: string): number {
  const first = pattern.startsWith("[^") ? 2 : 1;
  let position = first;
  // The first character of a class is never its end.
  while (position < pattern.length && (pattern[position] !== "]" || position === first)) {
    const named = pattern.startsWith("[:", position) ? pattern.indexOf(":]", position + 2) : -1;
    if (named >= 0) position = named + 2;
    else position += pattern[position] === "\\" ? 2 : 1;
  }
  return Math.min(position + 1, pattern.length);
}

/** ASCII, and what lies between the other characters that the specification names. */
function candidates(specification: string): string[] {
  const codes = Array.from(specification, (rune) => rune.codePointAt(0) ?? 0).filter((code) => code > 0x7f);
  const named = codes.toSorted((a, b) => a - b);
  const [first = 0, last = -1] = [named.at(0), named.at(-1)];
  const length = Math.min(last - first + 1, 0x10000);
  return [...range(0, 0x80), ...range(first, length)].map((code) => String.fromCodePoint(code));
}

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}
