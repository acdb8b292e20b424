/**
 * Characters that control a terminal or mislead its reader: controls (C0, DEL, C1) other than newline and tab, separators of lines and
 * paragraphs, bidirectional controls, zero-width and other invisible characters, annotation marks. A function, because V8 needs almost a
 * millisecond to create the expression, and commands that print raw content never use it.
 */
const unsafe = (): RegExp => /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]/gu;
const breaks = /[\n\t]/g;

/** Replaces every unsafe character by a visible notation: \x1b for controls, <U+202E> for others. */
export function cleanText(text: string): string {
  return text.replace(unsafe(), notationOf);
}

/** Like `cleanText`, for text that must stay in one line and column: also replaces newlines and tabs. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(breaks, notationOf);
}

/** Replaces every unsafe character of a JSON text by its escape. The result parses to the same value. */
export function escapeJson(text: string): string {
  return text.replace(unsafe(), (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join(""),
  );
}

export function hasUnsafe(text: string): boolean {
  return text.search(unsafe()) >= 0;
}

/** Replaces every unsafe character of a YAML text by its escape. Unsafe characters may only occur in double-quoted strings. */
export function escapeQuotedYaml(text: string): string {
  return text.replace(unsafe(), (character) => {
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
