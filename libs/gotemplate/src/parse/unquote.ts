import { decodeUtf8, encodeUtf8 } from "@landscaper/golang";

const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/** strconv.Unquote of a quoted or raw string literal; undefined if it is no valid one. */
export function unquote(literal: string): string | undefined {
  const delimiter = literal[0];
  const body = literal.slice(1, -1);
  if (delimiter === "`") return body.replaceAll("\r", "");
  if (!body.includes("\\")) return body;
  return unescapeBody(body, '"');
}

/** The rune of a character constant such as 'a'; a string is Go's error message. */
export function unquoteChar(literal: string): number | string {
  const body = literal.slice(1, -1);
  const first = body.startsWith("\\") ? readEscape(body, 1, "'") : firstRune(body);
  const code = first?.text.codePointAt(0);
  if (first === undefined || code === undefined) return "invalid syntax";
  if (first.length !== body.length - (body.startsWith("\\") ? 1 : 0)) {
    return `malformed character constant: ${literal}`;
  }
  return code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code;
}

function firstRune(body: string): { text: string; length: number } | undefined {
  const code = body.codePointAt(0);
  if (code === undefined) return undefined;
  const text = String.fromCodePoint(code);
  return { text, length: text.length };
}

function unescapeBody(body: string, delimiter: string): string | undefined {
  let result = "";
  let hasBytes = false;
  for (let i = 0; i < body.length; i++) {
    const char = body.charAt(i);
    if (char !== "\\") {
      result += char;
      continue;
    }
    const escape = readEscape(body, i + 1, delimiter);
    if (escape === undefined) return undefined;
    result += escape.text;
    hasBytes ||= escape.isByte;
    i += escape.length;
  }
  // Single bytes may together be valid UTF-8.
  return hasBytes ? decodeUtf8(encodeUtf8(result)) : result;
}

function readEscape(
  body: string,
  at: number,
  delimiter: string,
): { text: string; length: number; isByte: boolean } | undefined {
  const letter = body.charAt(at);
  const simple = simpleEscapes[letter];
  if (simple !== undefined) return { text: simple, length: 1, isByte: false };
  if (letter === delimiter) return { text: letter, length: 1, isByte: false };
  const pattern =
    { x: /x([0-9a-fA-F]{2})/y, u: /u([0-9a-fA-F]{4})/y, U: /U([0-9a-fA-F]{8})/y }[letter] ?? /([0-7]{3})/y;
  pattern.lastIndex = at;
  const match = pattern.exec(body);
  if (match === null) return undefined;
  const isByte = letter !== "u" && letter !== "U";
  const code = Number.parseInt(match[1] ?? "", letter === "x" || !isByte ? 16 : 8);
  if (isByte) return code > 0xff ? undefined : { text: byteText(code), length: match[0].length, isByte: true };
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return { text: String.fromCodePoint(code), length: match[0].length, isByte: false };
}

function byteText(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}
