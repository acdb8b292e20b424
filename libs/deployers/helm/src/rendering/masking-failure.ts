import { LandscaperError, maskDifferences, perturbAt, redacted } from "@landscaper/api";
import type { HelmConfig } from "../helm-config.ts";

type Given = HelmConfig["given"];

/** Failures that quote what templates and schemas were given. */
const quoting: ReadonlySet<string> = new Set(["ChartRenderingFailed", "InvalidChart"]);

/**
 * Renders the values of a configuration. A failure is compared with that of a second rendering, with other texts in place of the values
 * that derive from secrets: what differs is masked (docs/adr/0023-masking-by-provenance.md). When the other one does not fail so, operands are not told.
 */
export async function maskingFailure<T>(
  { given, secretPaths = [] }: Pick<HelmConfig, "given" | "secretPaths">,
  render: (given: Given) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await render(given);
  } catch (error) {
    if (!(error instanceof LandscaperError) || !quoting.has(error.reason) || secretPaths.length === 0) throw error;
    // The same structure.
    const other = await failureOf(async () => render(perturbAt(given, secretPaths) as Given));
    signal.throwIfAborted();
    const isSame = other?.reason === error.reason && placeOf(other.message) === placeOf(error.message);
    const message = isSame ? maskDifferences(error.message, other.message) : withoutOperands(error.message);
    const { reason, operation, codes, hint, at, retry } = error;
    throw new LandscaperError({ message, reason, operation, codes, hint, at, retry, isMasked: isSame });
  }
}

async function failureOf(render: () => Promise<unknown>): Promise<LandscaperError | undefined> {
  try {
    await render();
    return undefined;
  } catch (error) {
    return error instanceof LandscaperError ? error : undefined;
  }
}

/** Up to what a function says, in Go's form or in Helm's; undefined for what no function says. */
function placeOf(message: string): string | undefined {
  return /^.*?(?:: error calling \w+: |execution error at \([^)]*\): )/s.exec(message)?.[0];
}

function withoutOperands(message: string): string {
  const place = placeOf(message);
  if (place !== undefined) return place + redacted;
  return message.replace(/(["`'])(?:\\.|(?!\1)[^\\])*\1/gs, `$1${redacted}$1`);
}
