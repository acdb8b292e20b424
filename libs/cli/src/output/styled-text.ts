import pc from "picocolors";
import { cleanText } from "./clean-text.ts";

export type Style = "dim" | "green" | "red" | "yellow";

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
  const colors = pc.createColors(hasColor);
  return lines.map((line) =>
    line
      .map(({ text, style }) => {
        const cleaned = cleanText(text);
        return style === undefined ? cleaned : colors[style](cleaned);
      })
      .join("")
      .trimEnd(),
  );
}
