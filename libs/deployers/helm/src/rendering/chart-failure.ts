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

/**
 * What loading and values make of a mistake: Helm's message with the chart in front, and with its place behind where the message does not
 * name it. Other errors stay as they are.
 */
export function chartFailure(error: unknown, chart: string): unknown {
  if (!(error instanceof ChartError)) return error;
  return invalidChart(`chart ${chart}: ${error.message}${placeOf(error)}`, error);
}

function placeOf({ message, file, line, column }: ChartError): string {
  if (file === undefined) return "";
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return message.includes(line === undefined ? file : place) ? "" : ` (${place})`;
}

/**
 * What rendering makes of a mistake. The same templates with the same values fail again, unless they have looked something up on the
 * target: `mayChange`.
 */
export function renderFailure(error: unknown, { chart, mayChange }: { chart: string; mayChange: boolean }): unknown {
  if (!(error instanceof ChartError) && !(error instanceof TemplateError)) return error;
  const final = { codes: ["ERR_CONFIGURATION_PROBLEM"], retry: "never" } as const;
  return new LandscaperError({
    message: `chart ${chart}: ${error.message}${error instanceof ChartError ? placeOf(error) : ""}`,
    reason: "ChartRenderingFailed",
    ...(mayChange ? {} : final),
    cause: error,
  });
}
