import type { Characters } from "../strings/characters.ts";
import { resolvePlainScalar } from "./resolve-scalar.ts";

export type ScalarStyle = "plain" | "single" | "double" | "literal";

/** Where a scalar stands. */
export interface ScalarPlace {
  /** A key before ":" on one line. */
  readonly isSimpleKey: boolean;
  /** Whether numbers to the base 60 are no strings. */
  readonly quotesBase60: boolean;
}

interface Charset {
  /** Whether all characters beyond ASCII are escaped. */
  readonly escapesUnicode: boolean;
}

/** What a scalar's characters allow. Models yaml_emitter_analyze_scalar of go-yaml v2. */
export interface ScalarAnalysis {
  readonly isMultiline: boolean;
  readonly allowsPlain: boolean;
  readonly allowsSingle: boolean;
  readonly allowsBlock: boolean;
}

export function isBreak(char: string | undefined): boolean {
  return char === "\n" || char === "\r" || char === "\u0085" || char === "\u2028" || char === "\u2029";
}

/** Characters that need no escape: no tabs, no control characters, nothing beyond U+FFFD. */
export function isPrintable(char: string, { escapesUnicode }: Charset): boolean {
  const code = char.codePointAt(0) ?? 0;
  if (code === 0x0a || (code >= 0x20 && code <= 0x7e)) return true;
  if (escapesUnicode) return false;
  if (code < 0xa0 || code > 0xfffd || code === 0xfeff) return false;
  return code < 0xd800 || code > 0xdfff;
}

/** Everything that matters for the style can be seen without a loop for the usual texts. */
const simpleText = /^[A-Za-z0-9/_.](?:[A-Za-z0-9/_. -]*[A-Za-z0-9/_.-])?$/;

/** `text` is what the characters make together. */
export function analyzeScalar(text: string, chars: Characters, charset: Charset): ScalarAnalysis {
  if (chars.length === 0) return { isMultiline: false, allowsPlain: true, allowsSingle: true, allowsBlock: false };
  if (simpleText.test(text) && !text.startsWith("...")) {
    return { isMultiline: false, allowsPlain: true, allowsSingle: true, allowsBlock: true };
  }
  const { isMultiline, isSpecial, breakSpace, spaceBreak, hasIndicator } = scanCharacters(chars, charset);
  const first = chars[0];
  const last = chars[chars.length - 1];
  const edgeSpace = first === " " || last === " " || isBreak(first) || isBreak(last);
  const isInseparable = spaceBreak || isSpecial;
  const isIndicated = hasIndicator || startsWithIndicator(chars, text);
  return {
    isMultiline,
    allowsPlain: !edgeSpace && !breakSpace && !isInseparable && !isMultiline && !isIndicated,
    allowsSingle: !breakSpace && !isInseparable,
    allowsBlock: last !== " " && !isInseparable,
  };
}

/** What one walk over the characters shows. */
interface CharacterFacts {
  isMultiline: boolean;
  isSpecial: boolean;
  breakSpace: boolean;
  spaceBreak: boolean;
  /** A mark of a value or a comment, not at the begin. */
  hasIndicator: boolean;
}

function scanCharacters(chars: Characters, charset: Charset): CharacterFacts {
  const facts = { isMultiline: false, isSpecial: false, breakSpace: false, spaceBreak: false, hasIndicator: false };
  let before: string | undefined;
  let isAfterBreak = false;
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? "";
    const isLineBreak = isBreak(char);
    facts.isMultiline ||= isLineBreak;
    facts.isSpecial ||= !isPrintable(char, charset);
    facts.breakSpace ||= isAfterBreak && char === " ";
    facts.spaceBreak ||= isLineBreak && before === " ";
    if (i > 0 && char === ":") facts.hasIndicator ||= i + 1 === chars.length || isBlank(chars[i + 1]);
    else if (i > 0 && char === "#") facts.hasIndicator ||= isBlank(before) || isAfterBreak || before === "\0";
    before = char;
    isAfterBreak = isLineBreak;
  }
  return facts;
}

function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t";
}

function startsWithIndicator(chars: Characters, text: string): boolean {
  if (text.startsWith("---") || text.startsWith("...")) return true;
  const first = chars[0] ?? "";
  if ("#,[]{}&*!|>'\"%@`".includes(first)) return true;
  return "?:-".includes(first) && (chars.length === 1 || isBlank(chars[1]));
}

const base60Float = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** The style of a string. Models stringv and yaml_emitter_select_scalar_style of go-yaml v2. */
export function styleOfString(text: string, analysis: ScalarAnalysis, place: ScalarPlace): ScalarStyle {
  let style = wantedStyle(text, place);
  if (place.isSimpleKey && analysis.isMultiline) style = "double";
  if (style === "plain" && (!analysis.allowsPlain || (text === "" && place.isSimpleKey))) style = "single";
  if (style === "single" && !analysis.allowsSingle) style = "double";
  if (style === "literal" && (!analysis.allowsBlock || place.isSimpleKey)) style = "double";
  return style;
}

function wantedStyle(text: string, { quotesBase60 }: ScalarPlace): ScalarStyle {
  if (text.includes("\n")) return "literal";
  // What would be read as something else than a string is quoted.
  const isString = resolvePlainScalar(text).type === "string" && !(quotesBase60 && base60Float.test(text));
  return isString ? "plain" : "double";
}
