import { cleanLine } from "./output/clean-text.ts";

/**
 * Formats rows in columns, two spaces apart and as wide as their longest cell, without spaces at the ends of lines. The first row is the heading. Cells are
 * cleaned with `cleanLine`: a newline in a cell could otherwise fake a row.
 */
export function formatColumns(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(cleanLine));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
