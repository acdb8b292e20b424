import { redactLeaves } from "@landscaper/api";
import type { DeployContext, Outcome, Preview, PreviewContext } from "@landscaper/deployer";
import { composeValues } from "./compose-values.ts";
import type { HelmConfig } from "../helm-config.ts";
import { maskPreview } from "./mask-preview.ts";
import { readValues, type ValuesSource } from "./read-values.ts";
import { redactFailure } from "./redact-failure.ts";
import { storedSecrets } from "./stored-secrets.ts";

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
    return await hidingSecrets(
      () => config.secrets,
      async () => deploy(withConfig(context, config)),
    );
  } catch (error) {
    memory.values = undefined;
    throw error;
  }
}

/** A pass, with none of the secrets in its failure or in what it waits for. `secrets` is asked when it has ended. */
export async function hidingSecrets(secrets: () => readonly unknown[], pass: () => Promise<Outcome>): Promise<Outcome> {
  try {
    const outcome = await pass();
    return outcome.type === "waiting" ? { ...outcome, for: redactLeaves(outcome.for, secrets()) } : outcome;
  } catch (error) {
    throw redactFailure(error, secrets());
  }
}

/** A plan, and the values of the revisions that it was made from. */
export interface ReleasePreview {
  readonly preview: Preview;
  readonly stored: readonly unknown[];
}

/** The same for a plan; it is for people who may read what a ConfigMap holds, so that only what Secrets hold, or held, is hidden. */
export async function previewWithValues(
  context: PreviewContext<HelmConfig>,
  preview: (context: PreviewContext<HelmConfig>) => Promise<ReleasePreview>,
): Promise<Preview> {
  const sources = await sourcesOf(context);
  const config = resolvedConfig(context.config, sources);
  const result = await preview(withConfig(context, config)).catch((error: unknown) => {
    throw redactFailure(error, config.secrets);
  });
  const ofSecrets = sources.filter(isOfSecret);
  if (ofSecrets.length === 0) return result.preview;
  const others = sources.filter((source) => !isOfSecret(source));
  const told = composeValues(others, context.config.values).values;
  const former = result.stored.flatMap((values) => storedSecrets(values, told));
  return maskPreview(result.preview, [...composeValues(ofSecrets, {}).secrets, ...former]);
}

function isOfSecret({ reference }: ValuesSource): boolean {
  return reference.kind === "Secret";
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
