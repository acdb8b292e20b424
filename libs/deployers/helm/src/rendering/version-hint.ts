import { LandscaperError } from "@landscaper/api";
import { TemplateError } from "@landscaper/gotemplate";
import type { FetchSchema, HelmVersion } from "@landscaper/helm";
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

/** Returns the failure of a chart; if the other version of Helm accepts the chart and its values, with a hint that says so. */
export async function withVersionHint(
  error: LandscaperError,
  { helmVersion, render }: Attempt,
): Promise<LandscaperError> {
  const other = helmVersion === "3" ? "4" : "3";
  try {
    await render(other);
  } catch {
    return error;
  }
  const hint = `only Helm ${other} accepts this chart with these values: set helmVersion: "${other}", or correct the chart for Helm ${helmVersion}`;
  return error.with({ hint });
}

type Questions = Pick<RenderContext, "fetch" | "fetchSchema">;

/** Returns contexts for two attempts. The second one asks nothing: it has the schemas of the first one, and fails with any other question. */
export function rememberAnswers<T extends Questions>(context: T): { readonly first: T; readonly second: T } {
  const answers = new Map<string, ReturnType<FetchSchema>>();
  const refuse = async (): Promise<never> => Promise.reject(new Error("the second attempt asks no questions"));
  const fetchSchema: FetchSchema = async (url, signal) => {
    const answer = context.fetchSchema(url, signal);
    answers.set(url, answer);
    return await answer;
  };
  return {
    first: { ...context, fetchSchema },
    second: { ...context, fetch: refuse, fetchSchema: async (url) => await (answers.get(url) ?? refuse()) },
  };
}
