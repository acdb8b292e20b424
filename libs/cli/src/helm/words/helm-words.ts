import type { TemplateError } from "@landscaper/gotemplate";
import type { ChartError, HelmVersion } from "@landscaper/helm";

/** Texts of the `helm` command that differ between its major versions. */
export interface HelmWords {
  /** Line that Helm logs for a warning of the library. */
  readonly logLine: (text: string) => string;
  /** Line for a hook with unknown events. */
  readonly unknownHook: (events: string) => string;
  /** Line for a deprecated chart. */
  readonly deprecatedChart: string;
  /** Error for dependencies that are in Chart.yaml but not in charts/. */
  readonly missingDependencies: (problem: string) => string;
  /** Error for dependencies that cannot be processed. */
  readonly failedDependencies: (problem: string) => HelmProblem;
  /** Error for an invalid name of a release. */
  readonly invalidReleaseName: (problem: string) => HelmProblem;
  /** Text for the error of a chart or a template. */
  readonly renderFailure: (error: ChartError | TemplateError) => string;
}

/** A failure as Helm prints it. */
export interface HelmProblem {
  /** Line that Helm logs before the error. */
  readonly logLine?: string;
  /** Text after "Error: ". */
  readonly message: string;
}

/** Returns the texts of a version. Loads only the module of this version. */
export async function loadWords(version: HelmVersion): Promise<HelmWords> {
  return version === "3"
    ? (await import("./helm3-words.ts")).helm3Words
    : (await import("./helm4-words.ts")).helm4Words;
}
