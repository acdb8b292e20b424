const contextLines = 5;
const marker = "ˆ≈≈≈≈≈≈≈";
/** Width of "12:" with its padding. */
const numberWidth = 6;

export interface SnippetPlace {
  /** From 1. */
  readonly line: number;
  /** From 0; undefined marks no column. */
  readonly column?: number | undefined;
}

/** The lines around a place, numbered, with a marker under its column (core.md §3.7). */
export function sourceSnippet(text: string, { line, column }: SnippetPlace): string {
  const lines = text.split("\n");
  const from = Math.max(line - 1 - contextLines, 0);
  const to = Math.min(line + contextLines, lines.length);
  const shown: string[] = [];
  for (let i = from; i < to; i++) {
    shown.push(`${`${i + 1}:`.padEnd(numberWidth)}${lines[i] ?? ""}`);
    if (i === line - 1 && column !== undefined) shown.push(" ".repeat(numberWidth + column) + marker);
  }
  return shown.join("\n");
}
