import { LandscaperError, collectErrorCodes, redactLeaves } from "@landscaper/api";
import type { DeployContext, Outcome, Preview, PreviewContext } from "@landscaper/deployer";
import { composeValues } from "./compose-values.ts";
import type { HelmConfig } from "../helm-config.ts";
import { maskPreview } from "./mask-preview.ts";
import { readValues, type ValuesSource } from "./read-values.ts";

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
  memory.values ??= { generation, config: resolvedConfig(context.config, await sourcesOf(context)) };
  const { config } = memory.values;
  try {
    const outcome = await deploy(withConfig(context, config));
    return outcome.type === "waiting" ? { ...outcome, for: redacted(outcome.for, config) } : outcome;
  } catch (error) {
    memory.values = undefined;
    throw redactedFailure(error, config);
  }
}

/** The same for a plan; it is for people who may read what a ConfigMap holds, so that only what Secrets hold is hidden. */
export async function previewWithValues(
  context: PreviewContext<HelmConfig>,
  preview: (context: PreviewContext<HelmConfig>) => Promise<Preview>,
): Promise<Preview> {
  const sources = await sourcesOf(context);
  const config = resolvedConfig(context.config, sources);
  const ofSecrets = sources.filter(({ reference }) => reference.kind === "Secret");
  try {
    return maskPreview(await preview(withConfig(context, config)), composeValues(ofSecrets, {}).secrets);
  } catch (error) {
    throw redactedFailure(error, config);
  }
}

async function sourcesOf({ config, landscaper }: PreviewContext<HelmConfig>): Promise<ValuesSource[]> {
  return await readValues(config.valuesFrom, landscaper);
}

function resolvedConfig(config: HelmConfig, sources: readonly ValuesSource[]): HelmConfig {
  return sources.length === 0 ? config : { ...config, ...composeValues(sources, config.values) };
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
