import { redactTextsInTurns, valuesAt } from "@landscaper/api";
import { createBreather, ownTurn } from "@landscaper/controller-runtime";
import { maskPreview, type DeployContext, type Outcome, type Preview, type PreviewContext } from "@landscaper/deployer";
import type { TargetCluster } from "@landscaper/resources";
import type { ChartRenderer } from "../rendering/chart-renderer.ts";
import { checkLength, composeValues, lengthOf, type ComposedValues } from "./compose-values.ts";
import type { HelmConfig } from "../helm-config.ts";
import { isLargeValues } from "./limit-values.ts";
import { isOfSecret, readValues, type ValuesSource } from "./read-values.ts";
import { redactFailure } from "./redact-failure.ts";
import { readHelmStatus } from "../helm-status.ts";
import { formerSecretPaths, secretPathsOf, storedAt } from "./secret-paths.ts";
import { sentSecretsOf } from "./sent-secrets-of.ts";
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
  renderer: ChartRenderer,
  deploy: (context: DeployContext<HelmConfig>) => Promise<Outcome>,
): Promise<Outcome> {
  const { generation } = context.item.metadata;
  const memory = context.memory<{ values?: KnownValues | undefined }>(() => ({}));
  if (memory.values?.generation !== generation) memory.values = undefined;
  memory.values ??= { generation, config: await resolvedConfig(context, renderer, await sourcesOf(context)) };
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
    if (outcome.type !== "waiting") return outcome;
    const [masked = ""] = await redactTextsInTurns([outcome.for], secrets(), createBreather());
    return { ...outcome, for: masked };
  } catch (error) {
    throw await redactFailure(error, secrets());
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
  renderer: ChartRenderer,
  preview: (context: PreviewContext<HelmConfig>) => Promise<ReleasePreview>,
): Promise<Preview> {
  const sources = await sourcesOf(context);
  const config = await resolvedConfig(context, renderer, sources);
  const result = await preview(withConfig(context, config)).catch(async (error: unknown) => {
    throw await redactFailure(error, config.secrets);
  });
  const ofSecrets = sources.filter(isOfSecret);
  const { secretPaths = [] } = config;
  const former = formerSecretPaths(context.item, readHelmStatus(context.providerStatus));
  const stored = await storedAt(result.stored, [...secretPaths, ...former]);
  if (isLarge(sources, config.values)) await ownTurn();
  const known = [...valuesAt(config.values, secretPaths), ...stored];
  if (ofSecrets.length === 0) return await withoutValues(result.preview, known);
  const others = sources.filter((source) => !isOfSecret(source));
  const told = (await compose(others, context.config.values, { context, renderer })).values;
  const untold = result.stored.flatMap((values) => storedSecrets(values, told));
  const { secrets } = await compose(ofSecrets, {}, { context, renderer });
  return await withoutValues(result.preview, [...secrets, ...known, ...untold]);
}

async function withoutValues(preview: Preview, hidden: readonly unknown[]): Promise<Preview> {
  if (hidden.length === 0) return preview;
  return await maskPreview(preview, async (texts) => await redactTextsInTurns(texts, hidden, createBreather()));
}

async function sourcesOf({ config, landscaper }: PreviewContext<HelmConfig>): Promise<ValuesSource[]> {
  const sources = await readValues(config.valuesFrom, landscaper);
  checkLength(sources);
  return sources;
}

/** Longer texts (characters), and more values, are composed in a thread; a hop there costs a millisecond. */
const maxLengthAtOnce = 16 * 1024;

function isLarge(sources: readonly ValuesSource[], values: HelmConfig["values"]): boolean {
  return lengthOf(sources) > maxLengthAtOnce || isLargeValues(values);
}

async function compose(
  sources: readonly ValuesSource[],
  values: HelmConfig["values"],
  { context, renderer }: { readonly context: PreviewContext<HelmConfig>; readonly renderer: ChartRenderer },
): Promise<ComposedValues> {
  if (!isLarge(sources, values)) return composeValues(sources, values);
  const { item, signal } = context;
  return await renderer.perform({ type: "values", sources, values }, { name: "valuesFrom", item, signal });
}

async function resolvedConfig(
  context: PreviewContext<HelmConfig>,
  renderer: ChartRenderer,
  sources: readonly ValuesSource[],
): Promise<HelmConfig> {
  const { item, config } = context;
  const { fromSecrets, ...composed } =
    sources.length === 0
      ? { fromSecrets: [], ...config, secrets: [] }
      : { ...config, ...(await compose(sources, config.values, { context, renderer })) };
  const secretPaths = secretPathsOf(item, fromSecrets);
  // What has come from the thread has taken a part of this turn.
  if (isLarge(sources, config.values)) await ownTurn();
  // What is known of `values` may stand in failures of charts as little as what `valuesFrom` gives.
  const secrets = [...config.secrets, ...composed.secrets, ...valuesAt(composed.values, secretPaths ?? [])];
  return { ...composed, secretPaths, secrets };
}

/** What is sent to the target is secret by the configuration. Everything else stays a question to the context: the status changes with each report. */
function withConfig<Context extends PreviewContext<HelmConfig>>(context: Context, config: HelmConfig): Context {
  const { item, target, providerStatus, config: given } = context;
  const status = readHelmStatus(providerStatus);
  const sentSecrets = sentSecretsOf(item, config, { own: given.values, status });
  const open = async (): Promise<TargetCluster> => ({ ...(await target.cluster()), sentSecrets });
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(context),
      config: { value: config, enumerable: true },
      target: { value: { ...target, cluster: open }, enumerable: true },
    },
  ) as Context;
}
