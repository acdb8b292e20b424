import { backslash, doubleQuote, endOfText, hexValue, isBlank, isBreak, singleQuote } from "./character.ts";
import type { Cursor } from "./cursor.ts";
import { foldBreaks, skipToText } from "./fold-breaks.ts";

/** Reads a scalar in single or double quotes; the cursor stands on the first quote. */
export function scanQuoted(cursor: Cursor): string {
  const { text, code: quote } = cursor;
  cursor.offset++;
  let value = "";
  for (;;) {
    if (cursor.isAtDocumentIndicator()) cursor.fail("found unexpected document indicator");
    const from = cursor.offset;
    const to = endOfRun(text, from, quote);
    const code = text.charCodeAt(to);
    cursor.offset = to;
    if (code === quote) {
      cursor.offset++;
      value = value === "" ? text.slice(from, to) : value + text.slice(from, to);
      if (quote === doubleQuote || cursor.code !== singleQuote) return value;
      cursor.offset++;
      value += "'";
    } else if (code === endOfText) cursor.fail("found unexpected end of stream");
    else if (isBreak(code)) {
      let end = to;
      while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
      value += text.slice(from, end) + foldBreaks(cursor);
    } else value += text.slice(from, to) + readEscape(cursor);
  }
}

/** The offset of the next quote, escape, line break or end of the text. */
function endOfRun(text: string, from: number, quote: number): number {
  const escape = quote === doubleQuote ? backslash : quote;
  let i = from;
  for (;;) {
    const code = text.charCodeAt(i);
    if (code === quote || code === escape || code === endOfText || isBreak(code)) return i;
    i++;
  }
}

const escapes = new Map<string, string>([
  ["0", "\0"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\u001b"],
  [" ", " "],
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["N", "\u0085"],
  ["_", "\u00a0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

const codeWidths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** What the escape sequence here stands for; an escaped line break joins the lines. */
function readEscape(cursor: Cursor): string {
  const next = cursor.codeAt(1);
  if (isBreak(next)) {
    cursor.offset++;
    cursor.readBreak();
    return skipToText(cursor);
  }
  const letter = String.fromCharCode(next);
  const short = escapes.get(letter);
  if (short !== undefined) {
    cursor.offset += 2;
    return short;
  }
  const width = codeWidths[letter];
  if (width === undefined) return cursor.fail("found unknown escape character");
  cursor.offset += 2;
  let code = 0;
  for (let i = 0; i < width; i++) {
    const digit = hexValue(cursor.codeAt(i));
    if (digit < 0) cursor.fail("did not find expected hexdecimal number");
    code = code * 16 + digit;
  }
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) cursor.fail("found invalid Unicode character escape code");
  cursor.offset += width;
  return String.fromCodePoint(code);
}
