import type { DiffItem } from "./find-items.ts";
import type { PlannedItem } from "./collect-plans.ts";

/** The plans as text, one below the other; with a heading each where an Installation was named. */
export function formatDiff(items: readonly PlannedItem[], { hasHeadings }: { readonly hasHeadings: boolean }): string {
  return items
    .flatMap((item) => ("plan" in item ? [`${hasHeadings ? `# ${titleOf(item)}\n` : ""}${item.plan.text}`] : []))
    .join("\n");
}

export interface Diff {
  readonly items: readonly PlannedItem[];
  /** Why the plans are not what a job would change. Empty: they are. */
  readonly unknown: readonly string[];
}

/** What `landscaper diff -o json` prints. The shape is for programs: fields are added, never changed. */
export function formatDiffJson({ items, unknown }: Diff, namespace: string): string {
  const deployItems = items.map((planned) => {
    const { item } = planned;
    const plan = "plan" in planned ? planned.plan.document : undefined;
    return {
      name: item.metadata.name ?? "",
      type: item.spec.type,
      installation: planned.owner ?? null,
      generation: plan?.generation ?? null,
      time: plan?.time ?? null,
      summary: plan?.summary ?? null,
      changes: plan?.changes ?? [],
      omitted: plan?.omitted ?? 0,
      heldBack: plan?.heldBack ?? null,
      details: plan?.details ?? null,
      error: "problem" in planned ? planned.problem : null,
    };
  });
  return `${JSON.stringify({ namespace, deployItems, unknown }, undefined, 2)}\n`;
}

/** What has no plan and why, a line each; undefined where all have one. */
export function describeProblems(items: readonly (PlannedItem | DiffItem)[]): string | undefined {
  const lines = items.flatMap((item) => ("problem" in item ? [`${titleOf(item)}: ${item.problem}`] : []));
  if (lines.length === 0) return undefined;
  if (items.length === 1) return lines[0];
  return [`${lines.length} of ${items.length} deploy items have no plan`, ...lines.map((line) => `  ${line}`)].join(
    "\n",
  );
}

/** Whether a job would change something, or would be held back. */
export function hasChanges(items: readonly PlannedItem[]): boolean {
  return items.some((item) => {
    if (!("plan" in item)) return false;
    const { changes, omitted = 0, heldBack } = item.plan.document;
    return changes.length + omitted > 0 || heldBack !== undefined;
  });
}

function titleOf({ label, owner }: DiffItem): string {
  return owner === undefined ? label : `${label} of ${owner}`;
}
