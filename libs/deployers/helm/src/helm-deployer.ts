import { LandscaperError } from "@landscaper/api";
import type { DeleteOutcome, DeployContext, Deployer, Outcome, Preview, PreviewContext } from "@landscaper/deployer";
import { planManifests, uninstallManifests } from "@landscaper/manifest-deployer-lib";
import { ChartStore, type ChartStoreOptions } from "./chart-store.ts";
import type { HelmConfig } from "./helm-config.ts";
import { readHelmStatus, writeHelmStatus, type HelmStatus, type ReleaseName } from "./helm-status.ts";
import { inventoryStatus, manifestContext, type Slot } from "./manifest-context.ts";
import { deployAsManifests, emptyConfig, manifestConfigOf, renderingOf } from "./manifest-mode.ts";
import { parseHelmConfig } from "./parse-helm-config.ts";
import { previewRelease } from "./preview-release.ts";
import { ReleaseJob } from "./release-job.ts";
import { uninstallRelease, type Uninstalls } from "./uninstall-release.ts";
import { deployWithValues, previewWithValues } from "./with-values.ts";

/** `spec.type` of helm items. */
export const helmDeployItemType = "landscaper.gardener.cloud/helm";
/** Name of the deployer. */
export const helmDeployerName = "helm.deployer.landscaper.gardener.cloud";

export interface HelmDeployerOptions extends Partial<ChartStoreOptions> {
  readonly version: string;
}

export interface HelmDeployer extends Deployer<HelmConfig> {
  /** Closes its connections to registries, and ends its threads. */
  close(): Promise<void>;
}

/** The deployer of Helm charts (deployers.md §1.3): as releases, or rendered and applied as manifests. */
export function createHelmDeployer({ version, oci, rendering, userAgent }: HelmDeployerOptions): HelmDeployer {
  const charts = new ChartStore({ userAgent: userAgent ?? `helm-deployer/${version}`, oci, rendering });
  return {
    type: helmDeployItemType,
    name: helmDeployerName,
    version,
    parseConfig: parseHelmConfig,
    reconcile: async (context) =>
      await deployWithValues(context, async (resolved) =>
        resolved.config.isRelease ? await deployRelease(resolved, charts) : await deployAsManifests(resolved, charts),
      ),
    delete: async (context) => await remove(context),
    continuousReconcile: ({ continuousReconcile }) => continuousReconcile,
    preview: async (context) => await previewWithValues(context, async (resolved) => await preview(resolved, charts)),
    close: async () => charts.close(),
  };
}

/** Each step when the one before is done. */
async function deployRelease(context: DeployContext<HelmConfig>, charts: ChartStore): Promise<Outcome> {
  const job = await ReleaseJob.enter(context, charts);
  return (
    (await job.deploy()) ??
    (await job.cleanUp()) ??
    (await job.awaitReadiness()) ??
    (await job.awaitExports()) ??
    job.finish()
  );
}

async function preview(context: PreviewContext<HelmConfig>, charts: ChartStore): Promise<Preview> {
  const { config, item, signal, target } = context;
  const cluster = await target.cluster();
  const rendering = await renderingOf(context, charts, cluster);
  if (config.isRelease) return await previewRelease(rendering);
  const status = readHelmStatus(context.providerStatus);
  const providerStatus = inventoryStatus(status);
  return await planManifests({ item, config: await manifestConfigOf(rendering), providerStatus, cluster, signal });
}

/** Needs neither chart nor registry, and no configuration that can be read. */
async function remove(context: DeployContext<HelmConfig>): Promise<DeleteOutcome> {
  const { providerStatus } = context;
  if (providerStatus === undefined) return "done";
  const status = readHelmStatus(providerStatus);
  const memory = context.memory<{ uninstalls: Uninstalls; slot: Slot }>(() => ({ uninstalls: new Map(), slot: {} }));
  const { uninstalls } = memory;
  const wait = configOf(context)?.options.uninstall?.wait ?? true;
  for (const release of releasesOf(context, status)) {
    const waiting = await uninstallRelease(release, context, { uninstalls, wait });
    if (waiting !== undefined) return waiting;
  }
  // A release has taken its workloads with it.
  const own = status.mode === "manifests" ? status.managedResources : [];
  const managedResources = [...own, ...status.formerResources];
  if (managedResources.length === 0) return "done";
  context.report(writeHelmStatus({ ...status, mode: "manifests", managedResources, formerResources: [] }));
  const config = () => emptyConfig(context.config);
  return await uninstallManifests(manifestContext(context, config, memory.slot));
}

/** Of an item that the original has deployed, the status does not name the release. */
function releasesOf(context: DeployContext<HelmConfig>, { mode, release, formerReleases }: HelmStatus): ReleaseName[] {
  if (mode !== undefined) return [...(release === undefined ? [] : [release]), ...formerReleases];
  const config = configOf(context);
  return config?.isRelease === true ? [{ name: config.name, namespace: config.namespace }] : [];
}

function configOf(context: DeployContext<HelmConfig>): HelmConfig | undefined {
  try {
    return context.config;
  } catch (error) {
    if (error instanceof LandscaperError) return undefined;
    throw error;
  }
}
