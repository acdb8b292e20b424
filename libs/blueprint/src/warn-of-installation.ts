import type { InstallationSpec, Warning } from "@landscaper/api";

/** What the spec of an Installation says that may not be meant so. */
export function warnOfInstallation({ exports }: Pick<InstallationSpec, "exports">): readonly Warning[] {
  const data = new Set((exports?.data ?? []).map(({ name }) => name));
  const both = (exports?.targets ?? []).filter(({ name }) => data.has(name));
  return both.map(({ name }) => ({
    reason: "AmbiguousExport",
    message: `spec.exports: ${JSON.stringify(name)} is the name of a data export and of a target export; a blueprint can give only one of them`,
  }));
}
