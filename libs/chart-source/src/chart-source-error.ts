import { LandscaperError } from "@landscaper/api";

/** What was written about a chart cannot work: only a change helps. */
export function invalidSource(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidChartSource",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

/** The chart or version is not there; it may come. */
export function chartNotFound(message: string): LandscaperError {
  return new LandscaperError({ message, reason: "ChartNotFound" });
}
