import { redactLeaves } from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import { withFrankMessage } from "../provenance/frank-message.ts";
import type { NamedExecution } from "./run-execution.ts";
import { sourceSnippet } from "./source-snippet.ts";

const noValue = "<no value>";

/** Hits beyond this many say nothing new. */
const maxHits = 3;

/**
 * A rendered `<no value>` is a field that does not exist: an error with the place in the rendered text (core.md §3.7).
 * The text around it is shown without its values, because those come from imports.
 */
export function checkNoValue(
  rendered: string,
  execution: NamedExecution,
  bindings: Readonly<Record<string, unknown>>,
): void {
  if (!rendered.includes(noValue)) return;
  const withoutValues = rendered.split("\n").map(maskValues).join("\n");
  const masked = redactLeaves(withoutValues, bindings["imports"]);
  const error = blueprintError("TemplatingFailed", describeHits(rendered, masked, execution));
  throw withFrankMessage(error, describeHits(rendered, withoutValues, execution));
}

function describeHits(rendered: string, masked: string, { where, kind }: NamedExecution): string {
  const parts = [`${where}: template "${kind}" contains fields with "no value"; templated output:`];
  let hits = 0;
  const shown = masked.split("\n");
  for (const [i, line] of rendered.split("\n").entries()) {
    const column = line.indexOf(noValue);
    if (column < 0) continue;
    if (++hits > maxHits) continue;
    const shownColumn = shown[i]?.indexOf(noValue) ?? column;
    parts.push(`line ${i + 1}:${column}\n${sourceSnippet(masked, { line: i + 1, column: shownColumn })}`);
  }
  if (hits > maxHits) parts.push(`and ${hits - maxHits} more lines`);
  return parts.join("\n");
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
