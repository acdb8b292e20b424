import { isInvalidByte, isPrintable, latin1Of, mapRunes } from "@landscaper/golang";

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
  return mapRunes(text, (rune) => {
    const code = rune.codePointAt(0) ?? 0;
    const simple = jsEscapes[rune];
    if (simple !== undefined) return simple;
    if (code < 0x20) return `\\u00${code.toString(16).toUpperCase().padStart(2, "0")}`;
    if (code < 0x80 || isPrintable(rune) || isInvalidByte(code)) return rune;
    return `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
  });
}

/** url.QueryEscape: a space is "+". */
export function escapeUrlQuery(text: string): string {
  // One character for each byte.
  return mapRunes(latin1Of(text), (char) => {
    if (/[A-Za-z0-9_.~-]/.test(char)) return char;
    return char === " " ? "+" : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}
