import { parseDuration, type DeployItemTemplate } from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import { findRing, ringText } from "../dependency-ring.ts";
import { labelKeyProblem, labelValueProblem, nearestObjectName, objectNameProblem } from "../label-rules.ts";

/** The rules of core.md §3.6 "exec" on the items of all executions together. Throws LandscaperError. */
export function checkDeployItems(items: readonly DeployItemTemplate[]): void {
  const names = new Set<string>();
  for (const item of items) {
    if (names.has(item.name)) throw invalid(item, "the name must be unique among all deploy items of the blueprint");
    names.add(item.name);
    checkItem(item);
  }
  for (const item of items) {
    for (const dependency of item.dependsOn ?? []) {
      if (!names.has(dependency))
        throw invalid(item, `dependsOn names "${dependency}", which is no deploy item of the blueprint`);
    }
  }
  const ring = findRing(new Map(items.map((item) => [item.name, item.dependsOn ?? []])));
  if (ring !== undefined) {
    throw blueprintError("CyclicDependencies", `deploy items depend on each other in a ring: ${ringText(ring)}`, {
      codes: ["ERR_CONFIGURATION_PROBLEM", "ERR_CYCLIC_DEPENDENCIES"],
    });
  }
}

function checkItem(item: DeployItemTemplate): void {
  checkName(item);
  for (const [key, value] of Object.entries(item.labels ?? {})) {
    const problem = labelKeyProblem(key) ?? labelValueProblem(value);
    if (problem !== undefined) throw invalid(item, `the label ${JSON.stringify(key)} ${problem}`);
  }
  for (const field of ["apiVersion", "kind"] as const) {
    const value = item.config[field];
    if (typeof value !== "string" || value === "") throw invalid(item, `config.${field}: expected text, found nothing`);
  }
  if (item.timeout === undefined) return;
  if (durationOf(item) < 0) throw invalid(item, "timeout: must not be negative");
}

/** The name is part of the DeployItem's own name, and the value of one of its labels. */
function checkName(item: DeployItemTemplate): void {
  const problem = objectNameProblem(item.name);
  if (problem === undefined) return;
  const nearest = nearestObjectName(item.name);
  throw blueprintError("InvalidInput", `deploy item "${item.name}": the name ${problem}`, {
    hint: nearest === undefined ? "rename the item" : `rename the item, for example to "${nearest}"`,
  });
}

function durationOf(item: DeployItemTemplate): number {
  try {
    return parseDuration(item.timeout ?? "none");
  } catch (error) {
    throw blueprintError(
      "InvalidInput",
      `deploy item "${item.name}": timeout: ${error instanceof Error ? error.message : ""}`,
    );
  }
}

function invalid(item: DeployItemTemplate, problem: string): Error {
  return blueprintError("InvalidInput", `deploy item "${item.name}": ${problem}`);
}
