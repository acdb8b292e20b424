import { LandscaperError, redacted } from "@landscaper/api";
import { ApiError } from "@landscaper/controller-runtime";
import { parseJson } from "@landscaper/json";
import { formatResource, type ResourceReference } from "../cluster/resource-reference.ts";

/** A field that an apply wanted to change and that somebody else manages. */
export interface FieldConflict {
  /** As the API server writes it, e.g. `.spec.replicas`. */
  readonly field: string;
  readonly manager: string;
}

/** The conflicts that the API server reports of an apply; empty for every other error. */
export function findFieldConflicts(error: unknown): FieldConflict[] {
  if (!(error instanceof ApiError) || error.status !== 409) return [];
  const causes = error.statusObject.details?.causes ?? [];
  return causes
    .filter(({ reason }) => reason === "FieldManagerConflict")
    .map(({ field = "", message = "" }) => ({ field: maskItems(field), manager: managerIn(message) }));
}

/** Items of a list of values are named by their values (`.spec.hosts["a"]` as `[="a"]`), which may be secret. */
function maskItems(field: string): string {
  return field.replaceAll(/\[=(?:"(?:[^"\\]|\\.)*"|[^\]]*)\]/g, `[=${redacted}]`);
}

/** From `conflict with "kubectl" using apps/v1 at 2026-...`: the name may hold anything but is quoted as in Go. */
function managerIn(message: string): string {
  const quoted = /^conflict with ("(?:[^"\\]|\\.)*")/.exec(message)?.[1];
  try {
    const name: unknown = parseJson(quoted ?? "");
    if (typeof name === "string") return name;
  } catch {
    // Not as expected: the text itself says who.
  }
  return message.replace(/^conflict with /, "");
}

const maxNamedFields = 10;

const defaultHint =
  "leave these fields out of the manifest, name them in ignoreFields, or set serverSideApply.force to take them over";

/** Returns the error that names the fields, their managers, and what the user can do. Waiting does not help: the user must decide who owns the field. */
export function fieldConflictError(
  reference: ResourceReference,
  conflicts: readonly FieldConflict[],
  hint: string = defaultHint,
): LandscaperError {
  const byManager = new Map<string, string[]>();
  for (const { manager, field } of conflicts.slice(0, maxNamedFields)) {
    byManager.set(manager, [...(byManager.get(manager) ?? []), field]);
  }
  const named = [...byManager].map(([manager, fields]) => `${manager} manages ${fields.join(", ")}`).join("; ");
  const unnamed = conflicts.length - maxNamedFields;
  return new LandscaperError({
    message: `apply ${formatResource(reference)}: ${named}${unnamed > 0 ? `; and ${unnamed} more fields` : ""}`,
    reason: "FieldConflict",
    hint,
    retry: "never",
  });
}
