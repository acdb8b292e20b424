import { goJsonStringify } from "@landscaper/api";

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

/** A number as Go's `%v`: an exponent below 1e-4 and from 1e21. */
export function printNumber(value: number): string {
  const text = String(value);
  const usesExponent = text.includes("e") || (value !== 0 && Math.abs(value) < 1e-4);
  return usesExponent ? value.toExponential().replace(/e([-+])(\d)$/, "e$10$2") : text;
}
