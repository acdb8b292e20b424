import { encodeUtf8, isInvalidByte, isPrintable } from "@landscaper/golang";

const htmlEscapes: Readonly<Record<string, string>> = {
  "\0": "\ufffd",
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};

/** template.HTMLEscapeString. */
export function escapeHtml(text: string): string {
  // eslint-disable-next-line no-control-regex -- NUL is one of the characters that are escaped
  return text.replace(/[\0"'&<>]/g, (char) => htmlEscapes[char] ?? char);
}

const jsEscapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
  "<": "\\u003C",
  ">": "\\u003E",
  "&": "\\u0026",
  "=": "\\u003D",
};

/** template.JSEscapeString. */
export function escapeJs(text: string): string {
  let result = "";
  for (const rune of text) {
    const code = rune.codePointAt(0) ?? 0;
    const simple = jsEscapes[rune];
    if (simple !== undefined) result += simple;
    else if (code < 0x20) result += `\\u00${code.toString(16).toUpperCase().padStart(2, "0")}`;
    else if (code < 0x80 || isPrintable(rune) || isInvalidByte(code)) result += rune;
    else result += `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
  }
  return result;
}

/** url.QueryEscape: a space is "+". */
export function escapeUrlQuery(text: string): string {
  let result = "";
  for (const byte of encodeUtf8(text)) {
    const char = String.fromCharCode(byte);
    if (/[A-Za-z0-9_.~-]/.test(char)) result += char;
    else if (char === " ") result += "+";
    else result += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return result;
}
