import { mapRunes } from "./map-runes.ts";

const simpleEscapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
};

/** Go's strconv.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrintable(rune: string): boolean {
  return rune === " " || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(rune);
}

/** True for an invalid byte (see utf8.ts). */
export function isInvalidByte(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

/** strconv.Quote; with `ascii` strconv.QuoteToASCII. */
export function quote(text: string, ascii = false): string {
  // Nothing to escape is the usual case.
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  // For longer texts the platform would take too much memory.
  if (text.length < 8192 && /^[ -~]*$/.test(text)) return `"${text.replace(/["\\]/g, "\\$&")}"`;
  return `"${mapRunes(text, (rune) => escapeRune(rune, '"', ascii))}"`;
}

/** strconv.QuoteRune of one rune. */
export function quoteRune(rune: string, ascii = false): string {
  return `'${escapeRune(rune, "'", ascii)}'`;
}

function escapeRune(rune: string, delimiter: string, ascii: boolean): string {
  if (rune === delimiter) return `\\${delimiter}`;
  const simple = simpleEscapes[rune];
  if (simple !== undefined) return simple;
  const code = rune.codePointAt(0) ?? 0;
  if (isInvalidByte(code)) return `\\x${(code - 0xdc00).toString(16)}`;
  if (code < 0x7f && code >= 0x20) return rune;
  if (!ascii && isPrintable(rune)) return rune;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}

/** strconv.CanBackquote: one line, no control characters but tab, no backquote. */
export function canBackquote(text: string): boolean {
  for (const rune of text) {
    const code = rune.codePointAt(0) ?? 0;
    if (isInvalidByte(code) || code === 0xfeff || code === 0x60 || code === 0x7f || (code < 0x20 && rune !== "\t")) {
      return false;
    }
  }
  return true;
}

/** `%#U` of Go: U+0040 '@'. A byte that is not UTF-8 is U+FFFD. */
export function unicodeName(rune: string): string {
  const shown = rune.toWellFormed();
  const code = shown.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return isPrintable(shown) ? `${name} '${shown}'` : name;
}
