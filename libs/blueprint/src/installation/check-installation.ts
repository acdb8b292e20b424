import { maxInstallationNameLength, type Installation, type LandscaperError } from "@landscaper/api";
import { prerequisiteError } from "../blueprint-error.ts";
import { labelValueProblem } from "../label-rules.ts";

/**
 * Names of an Installation that become labels of what is made for it (core.md §3.3): a job must not get half-way before the API
 * server refuses one. Admission policies may be absent, skipped, or not see it. Throws LandscaperError.
 */
export function checkInstallation({ metadata, spec }: Installation): void {
  if ((metadata.name ?? "").length > maxInstallationNameLength) {
    throw invalid(`metadata.name: must have at most ${maxInstallationNameLength} characters`);
  }
  for (const { name, dataRef } of spec.exports?.data ?? []) checkReference(`data "${name}": dataRef`, dataRef);
  for (const { name, target } of spec.exports?.targets ?? []) checkReference(`targets "${name}": target`, target ?? "");
}

function checkReference(where: string, reference: string): void {
  const problem = reference === "" ? "must be set" : labelValueProblem(reference);
  if (problem !== undefined) throw invalid(`spec.exports.${where} ${problem}`);
}

function invalid(message: string): LandscaperError {
  return prerequisiteError(message, "InvalidInput", "choose another name");
}
