import { fitsInt64, fitsUint64, parseGoFloat, parseGoInteger } from "./parse-number.ts";
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

/** Meaning of an unquoted scalar without a tag. Models resolve.go of go-yaml v2. */
export function resolvePlainScalar(text: string): ResolvedScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  const first = text.charAt(0);
  if (first === ".") {
    const value = parseGoFloat(text);
    if (value !== undefined) return { type: "float", value };
  } else if (/[0-9+-]/.test(first)) {
    const number = isTimestamp(text) ? undefined : resolveNumber(text.replaceAll("_", ""));
    if (number !== undefined) return number;
    if (isTimestamp(text)) return { type: "timestamp", value: text };
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
