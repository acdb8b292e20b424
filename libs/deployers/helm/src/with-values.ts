import { LandscaperError, collectErrorCodes, redactLeaves } from "@landscaper/api";
import type { DeployContext, Outcome, PreviewContext } from "@landscaper/deployer";
import { composeValues } from "./compose-values.ts";
import type { HelmConfig } from "./helm-config.ts";
import { readValues } from "./read-values.ts";

/** What a pass has read; the passes that follow it in the same job use it as well. */
interface KnownValues {
  readonly generation: number | undefined;
  readonly config: HelmConfig;
}

/**
 * One pass over a job, with what `valuesFrom` gives in the configuration. It is read once, and again after a pass that failed. Nothing of
 * it stands in a failure or in what is waited for.
 */
export async function deployWithValues(
  context: DeployContext<HelmConfig>,
  deploy: (context: DeployContext<HelmConfig>) => Promise<Outcome>,
): Promise<Outcome> {
  const { generation } = context.item.metadata;
  const memory = context.memory<{ values?: KnownValues | undefined }>(() => ({}));
  if (memory.values?.generation !== generation) memory.values = undefined;
  memory.values ??= { generation, config: await resolvedConfig(context) };
  const { config } = memory.values;
  try {
    const outcome = await deploy(withConfig(context, config));
    return outcome.type === "waiting" ? { ...outcome, for: redacted(outcome.for, config) } : outcome;
  } catch (error) {
    memory.values = undefined;
    throw redactedFailure(error, config);
  }
}

/** The same for what only looks. */
export async function previewWithValues<Result>(
  context: PreviewContext<HelmConfig>,
  preview: (context: PreviewContext<HelmConfig>) => Promise<Result>,
): Promise<Result> {
  const config = await resolvedConfig(context);
  try {
    return await preview(withConfig(context, config));
  } catch (error) {
    throw redactedFailure(error, config);
  }
}

async function resolvedConfig({ config, landscaper }: PreviewContext<HelmConfig>): Promise<HelmConfig> {
  if (config.valuesFrom.length === 0) return config;
  const sources = await readValues(config.valuesFrom, landscaper);
  return { ...config, ...composeValues(sources, config.values) };
}

/** Everything else stays a question to the context: the status changes with each report. */
function withConfig<Context extends PreviewContext<HelmConfig>>(context: Context, config: HelmConfig): Context {
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(context),
      config: { value: config, enumerable: true },
    },
  ) as Context;
}

function redacted(text: string, { secrets }: HelmConfig): string {
  return secrets.length === 0 ? text : redactLeaves(text, secrets);
}

/** Templates, schemas and hooks may repeat what they were given. */
function redactedFailure(error: unknown, config: HelmConfig): unknown {
  if (!(error instanceof LandscaperError)) return error;
  const message = redacted(error.message, config);
  if (message === error.message) return error;
  const { reason, operation, hint, at, retry } = error;
  return new LandscaperError({ message, reason, operation, codes: collectErrorCodes(error), hint, at, retry });
}
