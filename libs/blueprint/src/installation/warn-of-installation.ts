import { parentOf, warnOfChartCache, type Installation, type Warning } from "@landscaper/api";

/** What an Installation says that has no effect, or may not be meant so. */
export function warnOfInstallation(installation: Installation): readonly Warning[] {
  // Subinstallations inherit the annotation.
  const ofAnnotations = parentOf(installation) === undefined ? warnOfChartCache(installation) : [];
  return [...warnOfExports(installation), ...ofAnnotations];
}

function warnOfExports({ spec: { exports } }: Installation): readonly Warning[] {
  const data = new Set((exports?.data ?? []).map(({ name }) => name));
  const both = (exports?.targets ?? []).filter(({ name }) => data.has(name));
  return both.map(({ name }) => ({
    reason: "AmbiguousExport",
    message: `spec.exports: ${JSON.stringify(name)} is the name of a data export and of a target export; a blueprint can give only one of them`,
  }));
}
