/** Codes of the characters that mean something in YAML's syntax. */
export const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const exclamationMark = 0x21;
export const doubleQuote = 0x22;
export const hash = 0x23;
export const percent = 0x25;
export const ampersand = 0x26;
export const singleQuote = 0x27;
export const asterisk = 0x2a;
export const plus = 0x2b;
export const comma = 0x2c;
export const minus = 0x2d;
export const dot = 0x2e;
export const colon = 0x3a;
export const lessThan = 0x3c;
export const greaterThan = 0x3e;
export const questionMark = 0x3f;
export const at = 0x40;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const underscore = 0x5f;
export const backquote = 0x60;
export const openBrace = 0x7b;
export const verticalBar = 0x7c;
export const closeBrace = 0x7d;
export const byteOrderMark = 0xfeff;
const nextLine = 0x85;
const lineSeparator = 0x2028;
const paragraphSeparator = 0x2029;

/** The code that the scanner finds where the text ends; no YAML text has it. */
export const endOfText = 0;

export function isBlank(code: number): boolean {
  return code === space || code === tab;
}

export function isBreak(code: number): boolean {
  if (code < nextLine) return code === lineFeed || code === carriageReturn;
  return code === nextLine || code === lineSeparator || code === paragraphSeparator;
}

/** LS and PS stay in the value of a scalar; the other breaks become a line feed. */
export function isKeptBreak(code: number): boolean {
  return code === lineSeparator || code === paragraphSeparator;
}

export function isBreakOrEnd(code: number): boolean {
  return code === endOfText || isBreak(code);
}

export function isBlankOrEnd(code: number): boolean {
  return code <= space ? code === space || code === tab || isBreakOrEnd(code) : isBreak(code);
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Characters of anchors, directives and tag handles. */
export function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    isDigit(code) ||
    code === underscore ||
    code === minus
  );
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
