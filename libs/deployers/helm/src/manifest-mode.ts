import { LandscaperError, labels, type DeployItem, type UnstructuredObject } from "@landscaper/api";
import type { DeployContext, Outcome } from "@landscaper/deployer";
import type { Hook } from "@landscaper/helm";
import { isKept, parseManifest } from "@landscaper/helm-release";
import { deployManifests, ownerOf, type ManifestConfig } from "@landscaper/manifest-deployer-lib";
import { collectValues, expandManifests, mergeExports, type Manifest, type TargetCluster } from "@landscaper/resources";
import type { ChartStore } from "./chart-store.ts";
import type { HelmConfig } from "./helm-config.ts";
import { exportDataOf, renderItem, type RenderingOptions } from "./helm-rendering.ts";
import { persistHelmStatus, readHelmStatus } from "./helm-status.ts";
import { manifestContext, type Slot } from "./manifest-context.ts";
import { placeObjects } from "./place-objects.ts";
import type { RenderedItem } from "./render-release.ts";
import { forgetReleases, takeOverReleases } from "./take-over-releases.ts";

/** What is done of a job; see ReleaseJob. */
interface Progress {
  readonly generation: number | undefined;
  /** Rendered once: templates may make passwords. */
  config: ManifestConfig | undefined;
  valueExports: Readonly<Record<string, unknown>>;
  /** Of the job of the manifest deployer. */
  readonly slot: Slot;
}

/** One pass over a job that makes no release: the chart is rendered, and its objects are applied as the manifest deployer does. */
export async function deployAsManifests(context: DeployContext<HelmConfig>, charts: ChartStore): Promise<Outcome> {
  const progress = enterProgress(context);
  const cluster = await context.target.cluster();
  if (progress.config === undefined) {
    const rendering = await renderingOf(context, charts, cluster);
    progress.config = await manifestConfigOf(rendering);
    progress.valueExports = await valueExportsOf(rendering);
    await takeOverReleases(context, cluster);
    await persistHelmStatus(context, {
      ...readHelmStatus(context.providerStatus),
      mode: "manifests",
      chart: rendering.loaded.origin,
    });
  }
  const outcome = await deployManifests(
    manifestContext(context, () => progress.config ?? emptyConfig(context.config), progress.slot),
  );
  if (outcome.type !== "succeeded") return outcome;
  await forgetReleases(context, cluster);
  const exports = typeof outcome.exports === "object" ? outcome.exports : {};
  return { ...outcome, exports: mergeExports(progress.valueExports, exports) };
}

export async function renderingOf(
  context: RenderingOptions["context"],
  charts: ChartStore,
  cluster: TargetCluster,
): Promise<RenderingOptions> {
  const { mode, managedResources } = readHelmStatus(context.providerStatus);
  const loaded = await charts.load(context.config.chart, context);
  const isUpgrade = mode === "manifests" && managedResources.length > 0;
  return { context, cluster, charts, loaded, revision: 1, isUpgrade };
}

async function valueExportsOf(rendering: RenderingOptions): Promise<Record<string, unknown>> {
  const { valueExports } = rendering.context.config;
  return valueExports.length === 0 ? {} : collectValues(valueExports, await exportDataOf(rendering));
}

/** What the manifest deployer is given. */
export async function manifestConfigOf(rendering: RenderingOptions): Promise<ManifestConfig> {
  const { config, item, signal } = rendering.context;
  const rendered = await renderItem(rendering);
  const objects = [
    ...rendered.crds.flatMap((text) => parseManifest(text)),
    ...parseManifest(rendered.manifest),
    ...hooksToApply(rendered, config).flatMap(({ manifest }) => parseManifest(manifest)),
  ];
  const { namespace } = config;
  const placed = await placeObjects(objects, { cluster: rendering.cluster, namespace, signal });
  const manifests: Manifest[] = placed.map((manifest) => ({ policy: isKept(manifest) ? "keep" : "manage", manifest }));
  const own: Manifest[] = config.createNamespace ? [{ policy: "keep", manifest: namespaceObject(namespace) }] : [];
  return { ...emptyConfig(config), manifests: expandManifests([...own, ...manifests]), extraLabels: helmLabels(item) };
}

function helmLabels(item: DeployItem): Readonly<Record<string, string>> {
  return { [labels.helmDeployItem]: ownerOf(item).value };
}

function namespaceObject(name: string): UnstructuredObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

/** Without manifests. */
export function emptyConfig(config: HelmConfig): ManifestConfig {
  const { updateStrategy, readinessChecks, exports, deletionGroups, deletionGroupsDuringUpdate } = config;
  return {
    updateStrategy,
    serverSideApply: undefined,
    driftDetection: "off",
    driftIgnore: [],
    manifests: [],
    readinessChecks,
    exports,
    deletionGroups,
    deletionGroupsDuringUpdate,
    continuousReconcile: undefined,
    requireApproval: false,
  };
}

/** Hooks that an install would run; those of tests nobody misses. Throws LandscaperError when the configuration has not said what to do. */
function hooksToApply({ hooks }: RenderedItem, config: HelmConfig): Hook[] {
  const relevant = hooks.filter(({ events }) => events.some((event) => /install|upgrade/.test(event)));
  const [first] = relevant;
  if (first === undefined || config.hooks === "skip") return [];
  if (config.hooks === "apply") return relevant;
  throw new LandscaperError({
    message: `chart has ${relevant.length} hooks, such as ${first.kind} ${first.name} (${first.path}), and without a Helm release nobody runs them`,
    reason: "ChartHooksRefused",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "set helmDeployment to true, or hooks to apply or skip",
    retry: "never",
  });
}

function enterProgress(context: DeployContext<HelmConfig>): Progress {
  const { generation } = context.item.metadata;
  const memory = context.memory<{ manifests?: Progress }>(() => ({}));
  if (memory.manifests !== undefined && memory.manifests.generation === generation) return memory.manifests;
  const fresh: Progress = { generation, config: undefined, valueExports: {}, slot: {} };
  memory.manifests = fresh;
  return fresh;
}
