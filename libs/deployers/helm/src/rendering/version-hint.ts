import { LandscaperError } from "@landscaper/api";
import { TemplateError } from "@landscaper/gotemplate";
import { otherVersion, type FetchSchema, type HelmVersion } from "@landscaper/helm";
import type { RenderContext } from "./render-release.ts";

/** Whether a failure may depend on the version of Helm. A rendering that exceeded its budget must not run a second time. */
export function mayDependOnVersion(error: unknown): error is LandscaperError {
  if (!(error instanceof LandscaperError) || error.retry !== "never") return false;
  return !(error.cause instanceof TemplateError && error.cause.kind === "budget");
}

interface Attempt {
  /** Version that failed. */
  readonly helmVersion: HelmVersion;
  readonly render: (version: HelmVersion) => Promise<unknown>;
}

/** Returns the failure of a chart. Adds a hint if the other version of Helm accepts the chart and its values. */
export async function withVersionHint(
  error: LandscaperError,
  { helmVersion, render }: Attempt,
): Promise<LandscaperError> {
  const other = otherVersion(helmVersion);
  try {
    await render(other);
  } catch {
    return error;
  }
  const hint = `only Helm ${other} accepts this chart with these values: set helmVersion: "${other}", or correct the chart for Helm ${helmVersion}`;
  return error.with({ hint });
}

type Requests = Pick<RenderContext, "fetch" | "fetchSchema">;

/** Returns contexts for two attempts. The second attempt sends no requests: it reuses the schemas of the first, and any other request fails. */
export function contextsOfAttempts<T extends Requests>(context: T): { readonly first: T; readonly second: T } {
  const schemas = new Map<string, ReturnType<FetchSchema>>();
  const refuse = async (): Promise<never> => Promise.reject(new Error("the second attempt sends no requests"));
  const fetchSchema: FetchSchema = async (url, signal) => {
    const schema = context.fetchSchema(url, signal);
    schemas.set(url, schema);
    return await schema;
  };
  return {
    first: { ...context, fetchSchema },
    second: { ...context, fetch: refuse, fetchSchema: async (url) => await (schemas.get(url) ?? refuse()) },
  };
}
