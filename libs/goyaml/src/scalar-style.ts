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

export function analyzeScalar(chars: readonly string[], charset: Charset): ScalarAnalysis {
  if (chars.length === 0) return { isMultiline: false, allowsPlain: true, allowsSingle: true, allowsBlock: false };
  const text = chars.join("");
  if (simpleText.test(text) && !text.startsWith("...")) {
    return { isMultiline: false, allowsPlain: true, allowsSingle: true, allowsBlock: true };
  }
  const isMultiline = chars.some(isBreak);
  const isSpecial = !chars.every((char) => isPrintable(char, charset));
  const first = chars[0];
  const last = chars.at(-1);
  const edgeSpace = first === " " || last === " " || isBreak(first) || isBreak(last);
  const breakSpace = hasSequence(chars, isBreak, isSpace);
  const spaceBreak = hasSequence(chars, isSpace, isBreak);
  const isInseparable = spaceBreak || isSpecial;
  return {
    isMultiline,
    allowsPlain: !edgeSpace && !breakSpace && !isInseparable && !isMultiline && !hasBlockIndicator(chars, text),
    allowsSingle: !breakSpace && !isInseparable,
    allowsBlock: last !== " " && !isInseparable,
  };
}

function isSpace(char: string): boolean {
  return char === " ";
}

function hasSequence(chars: readonly string[], a: (char: string) => boolean, b: (char: string) => boolean): boolean {
  return chars.some((char, i) => i > 0 && a(chars[i - 1] ?? "") && b(char));
}

function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t";
}

function hasBlockIndicator(chars: readonly string[], text: string): boolean {
  if (text.startsWith("---") || text.startsWith("...")) return true;
  const first = chars[0] ?? "";
  if ("#,[]{}&*!|>'\"%@`".includes(first)) return true;
  if ("?:-".includes(first) && (chars.length === 1 || isBlank(chars[1]))) return true;
  return chars.some((char, i) => {
    if (i === 0) return false;
    if (char === ":") return i + 1 === chars.length || isBlank(chars[i + 1]);
    return char === "#" && (isBlank(chars[i - 1]) || isBreak(chars[i - 1]) || chars[i - 1] === "\0");
  });
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
