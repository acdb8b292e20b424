import { LandscaperError } from "@landscaper/api";
import { TemplateError } from "@landscaper/gotemplate";
import { ChartError } from "@landscaper/helm";

/** A chart that cannot be installed whatever is tried. */
export function invalidChart(message: string, cause?: unknown): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidChart",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
    cause,
  });
}

/** What loading and values make of a mistake: Helm's message with the chart in front. Other errors stay as they are. */
export function chartFailure(error: unknown, chart: string): unknown {
  if (!(error instanceof ChartError)) return error;
  return invalidChart(`chart ${chart}: ${error.message}`, error);
}

/**
 * What rendering makes of a mistake. The same templates with the same values fail again, unless they have looked something up on the
 * target: `mayChange`.
 */
export function renderFailure(error: unknown, { chart, mayChange }: { chart: string; mayChange: boolean }): unknown {
  if (!(error instanceof ChartError) && !(error instanceof TemplateError)) return error;
  const final = { codes: ["ERR_CONFIGURATION_PROBLEM"], retry: "never" } as const;
  return new LandscaperError({
    message: `chart ${chart}: ${error.message}`,
    reason: "ChartRenderingFailed",
    ...(mayChange ? {} : final),
    cause: error,
  });
}
