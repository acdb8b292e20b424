import { cleanText } from "./clean-text.ts";

export type Style = "dim" | "green" | "red" | "yellow";

/** Control sequences of terminals that begin and end a style. */
const sequences: Readonly<Record<Style, readonly [begin: string, end: string]>> = {
  dim: ["\u001B[2m", "\u001B[22m"],
  green: ["\u001B[32m", "\u001B[39m"],
  red: ["\u001B[31m", "\u001B[39m"],
  yellow: ["\u001B[33m", "\u001B[39m"],
};

/** Part of a line. Its text may be untrusted: `paintLines` cleans it. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

export type StyledLine = readonly Span[];

/** Splits a text into lines without styles. */
export function plainLines(text: string): readonly StyledLine[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => [{ text: line }]);
}

/** Returns the lines as text, with colours if `hasColor`, without spaces at their ends. They contain no other control sequences. */
export function paintLines(lines: readonly StyledLine[], hasColor: boolean): readonly string[] {
  return lines.map((line) =>
    line
      .map(({ text, style }) => {
        const cleaned = cleanText(text);
        if (style === undefined || !hasColor) return cleaned;
        const [begin, end] = sequences[style];
        return `${begin}${cleaned}${end}`;
      })
      .join("")
      .trimEnd(),
  );
}
