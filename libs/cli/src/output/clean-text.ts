/**
 * Characters that change what a terminal does or what a reader sees: controls (C0, DEL, C1) other than newline and tab, separators of lines and
 * paragraphs, bidirectional controls, zero-width and other invisible characters, annotation marks.
 */
const unsafe = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]/gu;
const breaks = /[\n\t]/g;

/** The text with every unsafe character in a visible notation: \x1b for controls, <U+202E> for others. */
export function cleanText(text: string): string {
  return text.replace(unsafe, notationOf);
}

/** The same for a text that must stay in one line and column: newlines and tabs are shown, too. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(breaks, notationOf);
}

/** JSON text with every unsafe character as its escape, which parses to the same value. */
export function escapeJson(text: string): string {
  return text.replace(unsafe, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join(""),
  );
}

export function hasUnsafe(text: string): boolean {
  return text.search(unsafe) >= 0;
}

/** Unsafe characters as the escapes of double-quoted YAML. */
export function escapeQuotedYaml(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  });
}

function notationOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  return isControl ? `\\x${hex(code, 2)}` : `<U+${hex(code, 4).toUpperCase()}>`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
