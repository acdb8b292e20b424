import { mapRunes } from "@landscaper/goyaml";
import { isAscii } from "../value/utf8.ts";

/** Case functions as Go's unicode package has them: rune by rune, one rune stays one rune. */
export function upperRune(rune: string): string {
  const upper = rune.toUpperCase();
  return upper.length === rune.length || Array.from(upper).length === 1 ? upper : rune;
}

/** Digraphs by their forms in upper, title and lower case. */
const digraphs = ["Ǆǅǆ", "Ǉǈǉ", "Ǌǋǌ", "Ǳǲǳ"];

/** unicode.ToTitle: as upperRune, but for digraphs and Georgian letters, which stay. */
export function titleRune(rune: string): string {
  if (rune < "\x80") return rune.toUpperCase();
  if (rune >= "\u10d0" && rune <= "\u10ff") return rune;
  const digraph = digraphs.find((forms) => forms.includes(rune));
  return digraph?.charAt(1) ?? upperRune(rune);
}

export function lowerRune(rune: string): string {
  return Array.from(rune.toLowerCase())[0] ?? rune;
}

export function upperCase(text: string): string {
  return isAscii(text) ? text.toUpperCase() : mapRunes(text, upperRune);
}

export function lowerCase(text: string): string {
  return isAscii(text) ? text.toLowerCase() : mapRunes(text, lowerRune);
}

const spaces = new Set(
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
);

/** unicode.IsSpace. */
export function isUnicodeSpace(rune: string): boolean {
  return spaces.has(rune);
}

export function isUpper(rune: string): boolean {
  return rune < "\x80" ? rune >= "A" && rune <= "Z" : /^\p{Lu}$/u.test(rune);
}

export function isLower(rune: string): boolean {
  return rune < "\x80" ? rune >= "a" && rune <= "z" : /^\p{Ll}$/u.test(rune);
}

/** strings.TrimSpace. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isUnicodeSpace(text.charAt(start))) start++;
  while (end > start && isUnicodeSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** strings.Trim: cuts characters of the set from both ends. */
export function trimCharacters(text: string, set: string): string {
  if (set === "") return text;
  const characters = new Set(Array.from(set, (rune) => rune.codePointAt(0)));
  let start = 0;
  for (let code = text.codePointAt(0); characters.has(code) && start < text.length; code = text.codePointAt(start)) {
    start += widthOf(code);
  }
  let end = text.length;
  while (end > start) {
    const pair = end - start > 1 ? text.codePointAt(end - 2) : undefined;
    const code = widthOf(pair) === 2 ? pair : text.charCodeAt(end - 1);
    if (!characters.has(code)) break;
    end -= widthOf(code);
  }
  return text.slice(start, end);
}

/** Code units of a character. */
function widthOf(code: number | undefined): number {
  return code !== undefined && code > 0xffff ? 2 : 1;
}

/** Whether a word ends before this rune, as strings.Title sees it. */
function isSeparator(rune: string): boolean {
  if (rune < "\x80") return !/^[A-Za-z0-9_]$/.test(rune);
  return !/^[\p{L}\p{Nd}]$/u.test(rune) && isUnicodeSpace(rune);
}

/** strings.Title: the first letter of each word in upper case; "it's" has two words. */
export function titleCase(text: string): string {
  if (isAscii(text)) return text.replace(/(?<![A-Za-z0-9_])[a-z]/g, (letter) => letter.toUpperCase());
  let previous = " ";
  return mapRunes(text, (rune) => {
    const result = isSeparator(previous) ? titleRune(rune) : rune;
    previous = rune;
    return result;
  });
}
