import { quote } from "@landscaper/golang";
import type { TomlCursor } from "./toml-cursor.ts";

/** Characters that mean themselves in all forms. */
// eslint-disable-next-line no-control-regex -- control characters are what it stops at
const ordinary = /[^"'\\\u0000-\u001f\u007f]+/y;

/** A string at the cursor's quote, in any of TOML's four forms. */
export function readText(cursor: TomlCursor): string {
  const mark = cursor.next();
  if (cursor.startsWith(mark + mark)) {
    cursor.pos += 2;
    return readMultiline(cursor, mark);
  }
  let text = "";
  for (;;) {
    text += cursor.takeAll(ordinary);
    const char = cursor.peek();
    if (char === "") cursor.fail(`unexpected EOF; expected ${mark === '"' ? "'\"'" : '"\'"'}`);
    if (char === "\n" || char === "\r") {
      // Helm's library counts this one back.
      cursor.fail("strings cannot contain newlines", char === "\r" ? cursor.line - 1 : cursor.line);
    }
    cursor.next();
    if (char === mark) return text;
    text += char === "\\" && mark === '"' ? readEscape(cursor) : char;
  }
}

/** A key may not have the forms of several lines. */
export function readQuotedKey(cursor: TomlCursor): string {
  const mark = cursor.peek();
  if (!cursor.startsWith(mark + mark)) return readText(cursor);
  cursor.pos += 2;
  return "";
}

function readMultiline(cursor: TomlCursor, mark: string): string {
  if (cursor.startsWith("\r\n")) cursor.next();
  cursor.take("\n");
  const end = mark.repeat(3);
  let text = "";
  for (;;) {
    text += cursor.takeAll(ordinary);
    const char = cursor.peek();
    if (char === "") cursor.fail(`unexpected EOF; expected ${mark === '"' ? `'${end}'` : `"${end}"`}`);
    if (cursor.startsWith(end)) return text + readClosing(cursor, mark);
    cursor.next();
    if (char !== "\\" || mark !== '"') text += char;
    else if (!skipLineEnd(cursor)) text += readEscape(cursor);
  }
}

/** Up to two quotes may stand before the three that end the text. */
function readClosing(cursor: TomlCursor, mark: string): string {
  const run = cursor.takeAll(mark === '"' ? /"+/y : /'+/y);
  if (run.length >= 6) cursor.fail(`unexpected '${mark.repeat(6)}'`);
  return run.slice(3);
}

/** A backslash at the end of a line: white space up to the next word is left out. */
function skipLineEnd(cursor: TomlCursor): boolean {
  if (!/^[ \t]*\r?\n/.test(cursor.text.slice(cursor.pos, cursor.pos + 200))) {
    if (cursor.peek() === " " || cursor.peek() === "\t") cursor.fail(`invalid escape: '\\${cursor.peek()}'`);
    return false;
  }
  cursor.takeAll(/(?:[ \t\n]|\r\n)+/y);
  return true;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001b",
  '"': '"',
  "\\": "\\",
};
const digitWords: Readonly<Record<string, readonly [digits: number, word: string]>> = {
  x: [2, "two"],
  u: [4, "four"],
  U: [8, "eight"],
};

function readEscape(cursor: TomlCursor): string {
  const char = cursor.next();
  const simple = simpleEscapes[char];
  if (simple !== undefined) return simple;
  const hex = digitWords[char];
  if (hex === undefined) return cursor.fail(`invalid escape in string '\\${char === "" ? "\0" : char}'`);
  const [count, word] = hex;
  let digits = "";
  while (digits.length < count) {
    const digit = cursor.next();
    digits += digit;
    if (!/^[0-9a-fA-F]$/.test(digit)) {
      cursor.fail(
        `expected ${word} hexadecimal digits after '\\${char}', but got ${quote(`\\${char}${digits}`)} instead`,
      );
    }
  }
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    cursor.fail(`Escaped character '\\u${digits}' is not valid UTF-8.`);
  }
  return String.fromCodePoint(code);
}
