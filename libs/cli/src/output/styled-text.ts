import pc from "picocolors";
import { cleanText } from "./clean-text.ts";

export type Style = "dim" | "green" | "red" | "yellow";

/** A part of a line. Its text may be of strangers: it is cleaned when it is painted. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

export type StyledLine = readonly Span[];

/** Lines of one text without styles. */
export function plainLines(text: string): readonly StyledLine[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => [{ text: line }]);
}

/** The lines with their colours, if these are wanted, without spaces at their ends. No other sequence of a terminal is in them. */
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
