import { fitsInt64, fitsUint64, parseGoFloat, parseGoInteger } from "../numbers/parse-number.ts";
import { dot, isDigit, minus, plus } from "../scan/character.ts";
import { isTimestamp } from "./timestamp.ts";

/** What a plain scalar means in go-yaml v2 (YAML 1.1 with Go's habits). */
export type ResolvedScalar =
  | { readonly type: "null" }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "int"; readonly value: bigint }
  | { readonly type: "float"; readonly value: number }
  | { readonly type: "timestamp"; readonly value: string }
  | { readonly type: "string"; readonly value: string };

const words = new Map<string, ResolvedScalar>([
  ...spellings(["y", "yes", "true", "on"], { type: "bool", value: true }),
  ...spellings(["n", "no", "false", "off"], { type: "bool", value: false }),
  ...spellings(["null"], { type: "null" }),
  ["", { type: "null" }],
  ["~", { type: "null" }],
  [".nan", { type: "float", value: Number.NaN }],
  [".NaN", { type: "float", value: Number.NaN }],
  [".NAN", { type: "float", value: Number.NaN }],
  ...spellings([".inf"], { type: "float", value: Number.POSITIVE_INFINITY }),
  ...spellings(["+.inf"], { type: "float", value: Number.POSITIVE_INFINITY }),
  ...spellings(["-.inf"], { type: "float", value: Number.NEGATIVE_INFINITY }),
]);

/** The spellings that YAML 1.1 knows of a word: lower case, capitalised, upper case. */
function spellings(list: readonly string[], meaning: ResolvedScalar): [string, ResolvedScalar][] {
  return list.flatMap((word) => {
    const capitalised = word.replace(/[a-z]/, (letter) => letter.toUpperCase());
    return [word, capitalised, word.toUpperCase()].map((text): [string, ResolvedScalar] => [text, meaning]);
  });
}

const floatPattern = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/** First letters of the words. */
const wordStarts = "yYtToOnNfF~.+-";
const longestWord = 5;

/** Meaning of an unquoted scalar without a tag. Models resolve.go of go-yaml v2. */
export function resolvePlainScalar(text: string): ResolvedScalar {
  const first = text.charCodeAt(0);
  const startsNumber = isDigit(first) || first === minus || first === plus;
  // Most texts are seen to be strings by their first letter.
  if (text.length <= longestWord && (text === "" || wordStarts.includes(text.charAt(0)))) {
    const word = words.get(text);
    if (word !== undefined) return word;
  }
  if (first === dot) {
    const value = parseGoFloat(text);
    if (value !== undefined) return { type: "float", value };
  } else if (startsNumber) {
    if (isTimestamp(text)) return { type: "timestamp", value: text };
    const number = resolveNumber(text.includes("_") ? text.replaceAll("_", "") : text);
    if (number !== undefined) return number;
  }
  return { type: "string", value: text };
}

function resolveNumber(plain: string): ResolvedScalar | undefined {
  const integer = parseGoInteger(plain);
  // Go's ParseUint takes no sign.
  if (integer !== undefined && (fitsInt64(integer) || (fitsUint64(integer) && !plain.startsWith("+")))) {
    return { type: "int", value: integer };
  }
  if (!floatPattern.test(plain)) return undefined;
  const value = parseGoFloat(plain);
  return value === undefined ? undefined : { type: "float", value };
}

/** The value of a decimal integer that a double holds exactly; undefined for all other texts. */
export function smallInteger(text: string): number | undefined {
  const { length } = text;
  if (length === 0 || length > 15) return undefined;
  let value = 0;
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    // A zero at the begin is the sign of octal numbers.
    if (digit < 0 || digit > 9 || (i === 0 && digit === 0 && length > 1)) return undefined;
    value = value * 10 + digit;
  }
  return value;
}
