// Text of an attacker who controls a terminal or misleads its reader, for tests of commands.
import { expect } from "@jest/globals";

/** Clears the screen, sets the clipboard, hides text, reverses a word, hides a space, and returns to the start of the line. */
export const hostile = "a\u001B[2J\u001B]52;c;ZXZpbA==\u0007b\u009B8mc\u202Ed\u200Be\rf";

/** The hostile text as an operator sees it. */
export const shown = String.raw`a\x1b[2J\x1b]52;c;ZXZpbA==\x07b\x9b8mc<U+202E>d<U+200B>e\x0df`;

/** The hostile text inside a JSON string. */
export const escaped = String.raw`a\u001b[2J\u001b]52;c;ZXZpbA==\u0007b\u009b8mc\u202ed\u200be\rf`;

/** Independent of the product's list, so that tests notice mistakes in it. */
const forbidden: readonly (readonly [first: number, last: number])[] = [
  // Controls except tab and newline.
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  // Bidirectional controls, zero-width characters, separators.
  [0x61c, 0x61c],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  // Other characters without a glyph: soft hyphen, joiner, fillers, selectors, annotations, shorthand and musical controls, tags.
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

export function isForbidden(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return forbidden.some(([first, last]) => first <= code && code <= last);
}

/** Returns the forbidden characters of a text, in U+ notation. */
export function forbiddenIn(text: string): readonly string[] {
  return Array.from(text)
    .filter(isForbidden)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16)}`);
}

const escape = "\u001B";
/** Control sequences of the command: colours of `tree`, and redraws of `tree -w`. */
const own = new RegExp(`${escape}\\[(?:[0-9]+A\r|0J|\\?7[lh]|(?:2|22|31|32|33|39)m)`, "g");

/** Expects that the output contains the hostile text, without any forbidden character. */
export function expectClean({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void {
  const printed = `${stdout}${stderr}`;
  expect(forbiddenIn(printed.replaceAll(own, ""))).toEqual([]);
  expect(
    printed.includes(shown) || printed.includes(escaped) || printed.includes(escaped.replaceAll("\\", "\\\\")),
  ).toBe(true);
}
