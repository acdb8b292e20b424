import { goJsonStringify } from "@landscaper/api";
import { formatFloat } from "@landscaper/goyaml";

const shortEscapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

/** A text as Go's `%q` prints it. */
export function quoteGo(text: string): string {
  const escaped = text.replaceAll(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => {
    const short = shortEscapes[character];
    const codePoint = character.codePointAt(0) ?? 0;
    if (short !== undefined) {
      return short;
    }
    if (codePoint < 0x80) {
      return `\\x${codePoint.toString(16).padStart(2, "0")}`;
    }
    const isShort = codePoint <= 0xff_ff;
    return `${isShort ? "\\u" : "\\U"}${codePoint.toString(16).padStart(isShort ? 4 : 8, "0")}`;
  });
  return `"${escaped}"`;
}

/** A value as the API server prints it behind "Invalid value: ". */
export function printValue(value: unknown): string {
  if (typeof value === "string") {
    return quoteGo(value);
  }
  return typeof value === "number" ? printNumber(value) : goJsonStringify(value ?? null);
}

/** A number as Go's `%v`: an exact integer is an int64, everything else a float64. */
export function printNumber(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : printFloat(value);
}

/** A float64 as Go's `%v`. */
export function printFloat(value: number): string {
  return formatFloat(value, "g", -1);
}
