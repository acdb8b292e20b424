import { FunctionError, baseName, parseVersion, quote } from "@landscaper/golang";
import { ChartError } from "./chart-error.ts";
import type { ChartDependency, ChartMetadata } from "./chart.ts";
import type { DraftMetadata } from "./chart-yaml.ts";

/** Refuses what Helm refuses of a Chart.yaml, in its words and its order. */
export function validateMetadata(draft: DraftMetadata, metadata: ChartMetadata): void {
  const problem = problemOf(draft, metadata);
  if (problem !== undefined)
    throw new ChartError(`validation: ${problem}`, { chart: metadata.name, file: "Chart.yaml" });
}

function problemOf(
  draft: DraftMetadata,
  { name, version, type, dependencies = [] }: ChartMetadata,
): string | undefined {
  const rawVersion = typeof draft["version"] === "string" ? draft["version"] : "";
  if (name === "") return "chart.metadata.name is required";
  if (name === "." || name === "..") return `chart.metadata.name ${quote(name)} is not allowed`;
  if (name !== baseName(name)) return `chart.metadata.name ${quote(name)} is invalid`;
  if (version === "") return "chart.metadata.version is required";
  if (!isVersion(rawVersion)) return `chart.metadata.version ${quote(rawVersion)} is invalid`;
  if (type !== undefined && !["", "application", "library"].includes(type)) {
    return "chart.metadata.type must be application or library";
  }
  if (hasNull(draft["maintainers"])) return "maintainers must not contain empty or null nodes";
  if (hasNull(draft["dependencies"])) return "dependencies must not contain empty or null nodes";
  return dependencyProblem(dependencies);
}

function hasNull(list: unknown): boolean {
  return Array.isArray(list) && list.includes(null);
}

function dependencyProblem(dependencies: readonly ChartDependency[]): string | undefined {
  const known = new Set<string>();
  for (const { name, alias = "" } of dependencies) {
    if (!/^[a-zA-Z0-9_-]*$/.test(alias)) return `dependency ${quote(name)} has disallowed characters in the alias`;
    const key = alias === "" ? name : alias;
    if (known.has(key)) return `more than one dependency with name or alias ${quote(key)}`;
    known.add(key);
  }
  return undefined;
}

function isVersion(text: string): boolean {
  try {
    parseVersion(text);
    return true;
  } catch (error) {
    if (error instanceof FunctionError) return false;
    throw error;
  }
}
