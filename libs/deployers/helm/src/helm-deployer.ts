import { deployerApiVersion, warnOfChartCache, warnOfConfiguration, type HealthRule } from "@landscaper/api";
import type { DeployContext, Deployer, Outcome, Preview, PreviewContext } from "@landscaper/deployer";
import { addDeployerRules, planManifests, scheduleOf } from "@landscaper/manifest-deployer-lib";
import type { HelmVersion } from "@landscaper/helm";
import { compileChecks, HealthChecker, type IgnoreRule } from "@landscaper/resources";
import { abandonRelease } from "./release/abandon-release.ts";
import { checkReleaseDrift } from "./release/check-drift.ts";
import { ChartStore, type ChartStoreOptions } from "./rendering/chart-store.ts";
import { rolledBackTo, rollbackRequestOf, rollbackWithoutRelease } from "./remediation/decide-rollback.ts";
import type { HelmConfig } from "./helm-config.ts";
import { readHelmStatus } from "./helm-status.ts";
import { inventoryStatus } from "./manifests/manifest-context.ts";
import { deployAsManifests, maintainManifests, manifestConfigOf, renderingOf } from "./manifests/manifest-mode.ts";
import { forgetHooks } from "./manifests/manifest-hooks.ts";
import { parseHelmConfig } from "./parse-helm-config.ts";
import { previewRelease, previewRollback } from "./release/preview-release.ts";
import { enterProgress } from "./release/release-progress.ts";
import { ReleaseJob, type ReleaseJobOptions } from "./release/release-job.ts";
import { helmDeployerName } from "./release/release-options.ts";
import { describeVersion } from "./release/choose-version.ts";
import { previewSwitch } from "./switch/preview-switch.ts";
import { switchOperations, switchRequestOf } from "./switch/switch-request.ts";
import { describeRolledBack, withVersion } from "./switch/version-of-plan.ts";
import { leaveItem } from "./leave-item.ts";
import { removeItem } from "./remove-item.ts";
import { rolledBackConditions } from "./remediation/rolled-back-condition.ts";
import { unsealValues, type Unseal } from "./values/unseal-values.ts";
import { deployWithValues, hidingSecrets, previewWithValues, type ReleasePreview } from "./values/with-values.ts";

/** `spec.type` of helm items. */
export const helmDeployItemType = "landscaper.gardener.cloud/helm";

export interface HelmDeployerOptions extends Partial<ChartStoreOptions> {
  readonly version: string;
  /** Time after which an unfinished operation of another client on a release counts as abandoned, in ms. Default 5 minutes. */
  readonly abandonedAfterMs?: number | undefined;
  /** Of the agent of an Environment. Without it, tokens that are sealed stay so. */
  readonly unseal?: Unseal | undefined;
  /** Fields of objects that others may change, beside those of each item. */
  readonly ignoreFields?: readonly IgnoreRule[] | undefined;
  /** Health rules that replace the shipped ones. */
  readonly healthRules?: readonly HealthRule[] | undefined;
  /** Whether names, namespaces and kinds of objects may derive from secrets. Default false. */
  readonly allowSecretNames?: boolean | undefined;
  /** Version of Helm for new releases. Default "4". */
  readonly helmVersion?: HelmVersion | undefined;
}

/** What is the same for all items. */
type Surroundings = Pick<ReleaseJobOptions, "charts" | "abandonedAfterMs">;

export interface HelmDeployer extends Deployer<HelmConfig> {
  /** Closes its connections to registries, and ends its threads. */
  close(): Promise<void>;
}

/** The deployer of Helm charts (deployers.md §1.3): as releases, or rendered and applied as manifests. */
export function createHelmDeployer({
  version,
  userAgent,
  abandonedAfterMs,
  unseal,
  ignoreFields,
  healthRules,
  allowSecretNames,
  helmVersion,
  ...options
}: HelmDeployerOptions): HelmDeployer {
  compileSchemas();
  const charts = new ChartStore({ ...options, userAgent: userAgent ?? `helm-deployer/${version}` });
  const health = new HealthChecker(healthRules);
  const surroundings = { charts, abandonedAfterMs };
  const parse = (value: unknown, where: string): HelmConfig => ({
    ...parseHelmConfig(value, where),
    defaultHelmVersion: helmVersion,
  });
  return {
    type: helmDeployItemType,
    name: helmDeployerName,
    version,
    parseConfig: addDeployerRules(parse, { ignoreFields, health, allowSecretNames }),
    findWarnings: (item) => [...warnOfConfiguration("spec.config", item.spec.config), ...warnOfChartCache(item)],
    reconcile: async (context) =>
      await deploy(await unsealValues(context, unseal), surroundings, {
        rollbackRequest: rollbackRequestOf(context.item),
        restores: true,
      }),
    maintain: async (context) => await maintain(await unsealValues(context, unseal), surroundings),
    isOutdated: (item) => rollbackRequestOf(item) !== rolledBackTo(item),
    abandon: abandonRelease,
    leave: leaveItem,
    delete: async (context) => await removeItem(context),
    continuousReconcile: scheduleOf,
    planOperations: switchOperations,
    preview: async (context) => await preview(await unsealValues(context, unseal), charts),
    close: async () => {
      await Promise.all([charts.close(), health.close()]);
    },
  };
}

/** As that of the manifest deployer. */
function compileSchemas(): void {
  const config = { name: "app", namespace: "default", chart: { ref: "example.org/app:1.0.0" } };
  parseHelmConfig({ apiVersion: deployerApiVersion("helm"), kind: "ProviderConfiguration", ...config }, "");
}

/** Between jobs: everything again, or, with drift detection, only what differs from what the last job has deployed. */
async function maintain(context: DeployContext<HelmConfig>, surroundings: Surroundings): Promise<Outcome> {
  const { charts } = surroundings;
  // What has been deployed, not what the annotation asks of the next job.
  const rollbackRequest = rolledBackTo(context.item);
  const { driftDetection, isRelease, requireApproval } = context.config;
  // Approval is possible only in jobs.
  if (driftDetection === "off" && requireApproval) return { type: "succeeded", exports: "unchanged" };
  if (driftDetection === "off") return await deploy(context, surroundings, { rollbackRequest, restores: false });
  if (isRelease) {
    return await checkReleaseDrift(context, async () =>
      deploy(context, surroundings, { rollbackRequest, restores: true }),
    );
  }
  return await deployWithValues(context, charts.renderer, async (resolved) => maintainManifests(resolved, charts));
}

/** `rollbackRequest`: the wanted revision, which replaces the configured chart and needs neither chart nor values. */
async function deploy(
  context: DeployContext<HelmConfig>,
  surroundings: Surroundings,
  { rollbackRequest: request, restores }: Pick<ReleaseJobOptions, "rollbackRequest" | "restores">,
): Promise<Outcome> {
  const { renderer } = surroundings.charts;
  await compileOnce(context);
  const outcome =
    request === undefined
      ? await deployWithValues(context, renderer, async (resolved) =>
          deployChart(resolved, { ...surroundings, restores }),
        )
      : await rollBack({ context, ...surroundings, rollbackRequest: request, restores });
  if (outcome.type !== "succeeded") return outcome;
  const conditions = rolledBackConditions(context.item, readHelmStatus(context.providerStatus));
  return conditions.length === 0 ? outcome : { ...outcome, conditions: [...(outcome.conditions ?? []), ...conditions] };
}

/** Compiles the expressions of checks once for each configuration of a job. */
async function compileOnce(context: DeployContext<HelmConfig>): Promise<void> {
  const { item, config, signal } = context;
  const { generation, namespace: tenant = "" } = item.metadata;
  const memory = context.memory<{ compiledGeneration?: number | undefined }>(() => ({}));
  if (generation !== undefined && memory.compiledGeneration === generation) return;
  await compileChecks(config.readinessChecks, { where: "spec.config: readinessChecks.custom", tenant, signal });
  memory.compiledGeneration = generation;
}

async function deployChart(
  context: DeployContext<HelmConfig>,
  options: Surroundings & Pick<ReleaseJobOptions, "restores">,
): Promise<Outcome> {
  if (!context.config.isRelease) return await deployAsManifests(context, options.charts);
  return await deployRelease({ context, ...options, rollbackRequest: undefined });
}

/** What the revision was given is in its record: Secrets may have changed since. */
async function rollBack(options: ReleaseJobOptions & { readonly rollbackRequest: string }): Promise<Outcome> {
  const { context, rollbackRequest } = options;
  const { isRelease, valuesFrom } = context.config;
  if (!isRelease) throw rollbackWithoutRelease(rollbackRequest);
  const stored = (): readonly unknown[] =>
    valuesFrom.length === 0 ? [] : [enterProgress(context, rollbackRequest).deployed?.config];
  return await hidingSecrets(stored, async () => deployRelease(options));
}

/** Each step when the one before is done. */
async function deployRelease(options: ReleaseJobOptions): Promise<Outcome> {
  const job = await ReleaseJob.enter(options);
  const waiting = (await job.deploy()) ?? (await job.cleanUp());
  if (waiting !== undefined) return waiting;
  // The release has its own.
  await forgetHooks(options.context);
  return (await job.awaitReadiness()) ?? (await job.awaitExports()) ?? job.finish();
}

async function preview(context: PreviewContext<HelmConfig>, charts: ChartStore): Promise<Preview> {
  const { item, config, target } = context;
  const request = rollbackRequestOf(item);
  if (request === undefined) {
    return await previewWithValues(context, charts.renderer, async (resolved) => await previewChart(resolved, charts));
  }
  if (!config.isRelease) throw rollbackWithoutRelease(request);
  const asked = switchRequestOf(item);
  if (asked !== undefined) return describeRolledBack(context, asked);
  const cluster = await target.cluster();
  return await previewWithValues(context, charts.renderer, async (resolved) =>
    previewRollback({ context: resolved, cluster }, request),
  );
}

async function previewChart(context: PreviewContext<HelmConfig>, charts: ChartStore): Promise<ReleasePreview> {
  const { config, item, findItem, removals, signal, target } = context;
  const cluster = await target.cluster();
  const rendering = await renderingOf(context, charts, cluster);
  const asked = switchRequestOf(item);
  if (asked !== undefined) return await previewSwitch(rendering, asked);
  if (config.isRelease) return await previewRelease(rendering);
  const status = readHelmStatus(context.providerStatus);
  const providerStatus = inventoryStatus(status);
  const inspection = { item, config: await manifestConfigOf(rendering), providerStatus, cluster, findItem, signal };
  const plan = await planManifests({ ...inspection, removals });
  return { preview: withVersion(plan, describeVersion(config, { history: [], status })), stored: [] };
}
