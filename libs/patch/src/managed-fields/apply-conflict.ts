import type { FieldSet } from "./field-set.ts";
import { formatFieldPaths } from "./field-set.ts";
import type { ManagedFieldsEntry } from "./managed-entries.ts";

/** The fields of one other manager that an apply would change. */
export interface ManagerConflict {
  readonly entry: ManagedFieldsEntry;
  readonly fields: FieldSet;
}

export interface ConflictCause {
  readonly reason: "FieldManagerConflict";
  readonly message: string;
  /** e.g. `.spec.containers[name="a"].image`. */
  readonly field: string;
}

/** An apply without force that would change what others own; the API server answers 409 with this message and these causes. */
export class ApplyConflict extends Error {
  override readonly name = "ApplyConflict";
  readonly conflicts: readonly ManagerConflict[];
  readonly causes: readonly ConflictCause[];

  constructor(conflicts: readonly ManagerConflict[]) {
    const sorted = conflicts.toSorted((a, b) => (sortKey(a.entry) < sortKey(b.entry) ? -1 : 1));
    super(conflictMessage(sorted));
    this.conflicts = sorted;
    this.causes = sorted.flatMap(({ entry, fields }) =>
      formatFieldPaths(fields).map((field) => ({
        reason: "FieldManagerConflict" as const,
        message: `conflict with ${describeManager(entry)}`,
        field,
      })),
    );
  }
}

function sortKey({ manager, operation, apiVersion, subresource = "" }: ManagedFieldsEntry): string {
  return JSON.stringify([manager, operation, apiVersion, subresource]);
}

function conflictMessage(conflicts: readonly ManagerConflict[]): string {
  const named = conflicts.map(({ entry, fields }) => ({
    manager: describeManager(entry),
    paths: formatFieldPaths(fields),
  }));
  const count = named.reduce((sum, { paths }) => sum + paths.length, 0);
  const [first] = named;
  if (count === 1) return `Apply failed with 1 conflict: conflict with ${first?.manager}: ${first?.paths[0]}`;
  const lines = named.flatMap(({ manager, paths }) => [
    `conflicts with ${manager}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join("\n")}`;
}

function describeManager({ manager, operation, apiVersion, subresource = "" }: ManagedFieldsEntry): string {
  const place = subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(manager)}${place}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
}
