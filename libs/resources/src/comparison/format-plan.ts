import type { FieldChange } from "./field-diff.ts";
import type { ObjectChange } from "./plan-diff.ts";
import { formatResource } from "../cluster/resource-reference.ts";

/** "2 to create, 1 to update, 1 to delete, 5 unchanged", without what is none. */
export function summarizePlan(changes: readonly ObjectChange[]): string {
  const words = [
    ["create", "to create"],
    ["update", "to update"],
    ["delete", "to delete"],
    ["blocked", "blocked"],
    ["unchanged", "unchanged"],
  ] as const;
  const counts = words.map(([type, text]) => [changes.filter((change) => change.type === type).length, text] as const);
  const parts = counts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  return parts.length === 0 ? "nothing to do" : parts.join(", ");
}

const signs = { added: "+", removed: "-", changed: "~" } as const;
const maxValueLength = 200;

/** A plan as text: one line per object that changes, and one per field below it. */
export function formatPlan(changes: readonly ObjectChange[]): string {
  const lines = changes
    .filter(({ type }) => type !== "unchanged")
    .flatMap(({ type, resource, problem, fields }) => [
      `${type} ${formatResource(resource)}${problem === undefined ? "" : `: ${problem}`}`,
      ...fields.map(formatChange),
    ]);
  return [...lines, summarizePlan(changes), ""].join("\n");
}

function formatChange(change: FieldChange): string {
  const values = [change.from, change.to].filter((value) => value !== undefined).map(formatValue);
  return `  ${signs[change.type]} ${change.path}: ${values.join(" -> ")}`;
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}... (${text.length} characters)` : text;
}
