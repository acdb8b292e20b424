import { LandscaperError } from "@landscaper/api";
import { isNestedDeeper } from "@landscaper/json";

/** More levels than any honest document has; the main thread walks what it writes, and its stack must suffice. */
const maxLevels = 400;
/** The API server takes less, and says so; what is much larger would only keep the main thread. */
const maxObjectBytes = 4 * 1024 * 1024;

/** Content that ends in an error of the engine, such as one nested too deep: it would end so again. */
export function limitReached(step: string, problem: string): LandscaperError {
  return new LandscaperError({
    message: `${step}: ${problem}`,
    reason: "ContentLimitExceeded",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "render less, or split the installation",
    retry: "never",
  });
}

/** Throws LandscaperError for a value that is nested too deep. */
export function checkLevels(value: unknown, what: string): void {
  if (isNestedDeeper(value, maxLevels)) {
    throw limitReached(what, `is nested deeper than ${maxLevels} levels, which no API server stores`);
  }
}

export function checkSize(bytes: number, what: string): void {
  if (bytes <= maxObjectBytes) return;
  throw new LandscaperError({
    message: `${what}: its ${Math.ceil(bytes / 1024)} KiB are more than the API server stores in one object`,
    reason: "ObjectTooLarge",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "import and export less, or split it",
    retry: "never",
  });
}

/** Errors of the engine that content alone brings about: a full stack, a text longer than any may be. */
export function explainEngineError(error: unknown, step: string): unknown {
  if (!(error instanceof RangeError)) return error;
  const isStack = error.message.includes("call stack");
  return limitReached(step, isStack ? "is nested too deep" : "gives a value that is too large");
}
