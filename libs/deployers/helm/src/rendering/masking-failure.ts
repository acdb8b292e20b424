import { LandscaperError, maskDifferences, redacted, type JsonPath } from "@landscaper/api";

/** Failures that quote what templates and schemas were given. */
const quoting: ReadonlySet<string> = new Set(["ChartRenderingFailed", "InvalidChart"]);

/**
 * Renders the values of a configuration. A failure is compared with that of a second rendering, with other texts in place of the values
 * at `secretPaths`, which derive from secrets: what differs is masked (docs/adr/0023-masking-by-provenance.md). When the other one does not fail so, operands are not told.
 */
export async function maskingFailure<T>(
  secretPaths: readonly JsonPath[],
  render: (perturbedAt?: readonly JsonPath[]) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await render();
  } catch (error) {
    if (!(error instanceof LandscaperError) || !quoting.has(error.reason) || secretPaths.length === 0) throw error;
    const other = await failureOf(async () => render(secretPaths));
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
