import { redactLeaves } from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import { sourceSnippet } from "./source-snippet.ts";

const noValue = "<no value>";
/** Hits beyond this many say nothing new. */
const maxHits = 3;

/**
 * A rendered `<no value>` is a field that does not exist: an error with the place in the rendered text (core.md §3.7).
 * The text around it is shown without its values, because those come from imports.
 */
export function checkNoValue(rendered: string, kind: string, bindings: Readonly<Record<string, unknown>>): void {
  if (!rendered.includes(noValue)) return;
  const lines = rendered.split("\n");
  const masked = redactLeaves(lines.map(maskValues).join("\n"), bindings["imports"]);
  const parts = [`template "${kind}" contains fields with "no value":`];
  let hits = 0;
  for (const [i, line] of lines.entries()) {
    const column = line.indexOf(noValue);
    if (column < 0) continue;
    if (++hits > maxHits) continue;
    const shownColumn = masked.split("\n")[i]?.indexOf(noValue) ?? column;
    parts.push(`line ${i + 1}:${column}\n${sourceSnippet(masked, { line: i + 1, column: shownColumn })}`);
  }
  if (hits > maxHits) parts.push(`and ${hits - maxHits} more lines`);
  throw blueprintError("TemplatingFailed", parts.join("\n"));
}

/** A line with its keys, but without its values. */
function maskValues(line: string): string {
  const [, start = "", value = ""] = /^(\s*(?:- )*(?:[\w./-]+:(?:\s|$))?)(.*)$/.exec(line) ?? [];
  if (value === "") return line;
  if (!value.includes(noValue)) return `${start}[...]`;
  return (
    start +
    value
      .split(noValue)
      .map((part) => (part === "" ? "" : "[...]"))
      .join(noValue)
  );
}
