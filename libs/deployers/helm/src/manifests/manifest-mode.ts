import {
  everything,
  findSensitiveInTurns,
  isUnderPath,
  LandscaperError,
  labels,
  valuesAt,
  type DeployItem,
  type UnstructuredObject,
  type Warning,
} from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import type { DeployContext, Outcome, Waiting } from "@landscaper/deployer";
import type { Hook } from "@landscaper/helm";
import {
  isKept,
  isMarked,
  parseCrdFiles,
  parseManifests,
  parsePlacedManifest,
  type StandaloneHooks,
} from "@landscaper/helm-release";
import {
  approvalPauseMs,
  checkManifestDrift,
  checkManifestRemovals,
  deployManifests,
  describeApproval,
  driftCondition,
  isApproved,
  ownerOf,
  planManifests,
  type ManifestConfig,
} from "@landscaper/manifest-deployer-lib";
import {
  collectValues,
  expandManifests,
  mergeExports,
  unknownSecrets,
  warnOfDuplicates,
  type Manifest,
  type TargetCluster,
} from "@landscaper/resources";
import type { ChartStore, LoadedChart } from "../rendering/chart-store.ts";
import type { HelmConfig } from "../helm-config.ts";
import { exportDataOf, renderItem, type RenderingOptions } from "../rendering/helm-rendering.ts";
import { persistHelmStatus, readHelmStatus } from "../helm-status.ts";
import { inventoryStatus, manifestContext, type Slot } from "./manifest-context.ts";
import { advanceHooks, forgetHooks, prepareHooks } from "./manifest-hooks.ts";
import { placeObjects } from "./place-objects.ts";
import type { RenderedItem } from "../rendering/render-release.ts";
import { versionOfItem } from "../release/choose-version.ts";
import { helmDeployerName } from "../release/release-options.ts";
import { allSecretPaths, formerSecretPaths } from "../values/secret-paths.ts";
import { isProvenanceKnown } from "../values/sent-secrets-of.ts";
import { secretsOfItem } from "../values/secrets-of-item.ts";
import { forgetReleases, takeOverReleases } from "../release/take-over-releases.ts";

/** What is done of a job; see ReleaseJob. */
interface Progress {
  readonly generation: number | undefined;
  /** Rendered once: templates may make passwords. */
  rendered: RenderedJob | undefined;
  /** Set after the planned change is in the status. */
  config: ManifestConfig | undefined;
  /** Of an item that runs them. */
  hooks: StandaloneHooks | undefined;
  /** Of the job of the manifest deployer. */
  readonly slot: Slot;
}

/** One pass over a job that makes no release: the chart is rendered, and its objects are applied as the manifest deployer does. */
export async function deployAsManifests(context: DeployContext<HelmConfig>, charts: ChartStore): Promise<Outcome> {
  const progress = enterProgress(context);
  const { signal } = context;
  const cluster = await context.target.cluster();
  const rendered = (progress.rendered ??= await renderJob(await renderingOf(context, charts, cluster)));
  for (const warning of rendered.warnings) context.warn(warning);
  if (progress.config === undefined) {
    // Changes only the status of the item: what the releases of the item have becomes a part of the plan.
    await takeOverReleases(context, cluster);
    const config = withFormerMarks(rendered.manifests, context);
    await checkManifestRemovals(manifestContext(context, () => config, {}));
    const approval = await awaitApproval({ config, hooks: rendered.hooks }, { context, cluster });
    if (approval !== undefined) return approval;
    await begin(rendered, { context, cluster, progress });
    progress.config = config;
  }
  const waiting = await advanceHooks(progress.hooks, "pre", signal);
  if (waiting !== undefined) return waiting;
  const outcome = await deployManifests(
    manifestContext(context, () => progress.config ?? emptyConfig(context.config), progress.slot),
    { areChecksCompiled: true, afterReadiness: async () => await advanceHooks(progress.hooks, "post", signal) },
  );
  if (outcome.type !== "succeeded") return outcome;
  await forgetReleases(context, cluster);
  await forgetHooks(context, progress.hooks === undefined ? undefined : context.config);
  const exports = mergeExports(rendered.valueExports, typeof outcome.exports === "object" ? outcome.exports : {});
  const sensitiveExports = [
    ...(outcome.sensitiveExports ?? everything),
    ...(await findSensitiveInTurns(exports, secretsOfItem(context), createBreather())),
  ];
  // Without any, those of the last job are taken back.
  return { ...outcome, exports: Object.keys(exports).length === 0 ? undefined : exports, sensitiveExports };
}

/** Result of rendering the chart. */
interface RenderedJob extends RenderedManifests, Pick<RenderingOptions, "isUpgrade" | "helmVersion"> {
  readonly origin: LoadedChart["origin"];
  readonly valueExports: Readonly<Record<string, unknown>>;
}

async function renderJob(rendering: RenderingOptions): Promise<RenderedJob> {
  const { isUpgrade, helmVersion, loaded } = rendering;
  const valueExports = await valueExportsOf(rendering);
  return { ...(await renderManifests(rendering)), isUpgrade, helmVersion, origin: loaded.origin, valueExports };
}

interface JobPlace {
  readonly context: DeployContext<HelmConfig>;
  readonly cluster: TargetCluster;
}

/** Before anything is done, hooks included. A job that would change nothing needs no approval. */
async function awaitApproval(
  { config, hooks }: { readonly config: ManifestConfig; readonly hooks: readonly Hook[] },
  { context, cluster }: JobPlace,
): Promise<Waiting | undefined> {
  const { item, findItem, signal } = context;
  if (!context.config.requireApproval || isApproved(item)) return undefined;
  const providerStatus = inventoryStatus(readHelmStatus(context.providerStatus));
  const plan = await planManifests({ item, config, providerStatus, cluster, findItem, signal });
  if (plan.changes.length === 0 && hooks.length === 0) return undefined;
  const what = hooks.length === 0 ? plan.summary : `${plan.summary}, hooks to run: ${hooks.length}`;
  return { type: "waiting", for: describeApproval(item, what), requeueAfterMs: approvalPauseMs };
}

/** What a release of the item has left does not have the item's marks yet. */
function withFormerMarks(manifests: ManifestConfig, context: DeployContext<HelmConfig>): ManifestConfig {
  const { formerReleases } = readHelmStatus(context.providerStatus);
  return { ...manifests, formerMark: (object) => formerReleases.some((release) => isMarked(object, release)) };
}

/** Writes what is about to be done. */
async function begin(
  { hooks, isUpgrade, helmVersion, origin }: RenderedJob,
  { context, cluster, progress }: JobPlace & { readonly progress: Progress },
): Promise<void> {
  const { name, namespace } = context.config;
  if (hooks.length > 0) await forgetHooks(context, { name, namespace });
  const status = readHelmStatus(context.providerStatus);
  const place = hooks.length > 0 ? { name, namespace } : status.hooks;
  const secretValues = allSecretPaths(status, context.config);
  const own = { mode: "manifests", chart: origin, helmVersion, hooks: place, secretValues } as const;
  await persistHelmStatus(context, { ...status, ...own });
  if (hooks.length > 0) progress.hooks = await prepareHooks(context, { cluster, hooks, isUpgrade });
}

/** Between jobs: what differs from the chart as it is rendered now, corrected if the configuration asks for it. */
export async function maintainManifests(context: DeployContext<HelmConfig>, charts: ChartStore): Promise<Outcome> {
  const { item, signal } = context;
  const cluster = await context.target.cluster();
  const rendered = await manifestConfigOf(await renderingOf(context, charts, cluster));
  // The chart may be rendered with other values than those that were approved.
  const config: ManifestConfig = context.config.requireApproval ? { ...rendered, driftDetection: "warn" } : rendered;
  const items = manifestContext(context, () => config, {});
  const drift = await checkManifestDrift({ item, config, providerStatus: items.providerStatus, cluster, signal });
  if (drift.providerStatus !== undefined) items.report(drift.providerStatus);
  return { type: "succeeded", exports: "unchanged", conditions: [driftCondition(drift)] };
}

export async function renderingOf(
  context: RenderingOptions["context"],
  charts: ChartStore,
  cluster: TargetCluster,
): Promise<RenderingOptions> {
  const status = readHelmStatus(context.providerStatus);
  const loaded = await charts.load(context.config.chart, context);
  const isUpgrade = status.mode === "manifests" && status.managedResources.length > 0;
  const helmVersion = versionOfItem(context.config, status);
  return { context, cluster, charts, loaded, revision: 1, isUpgrade, helmVersion };
}

async function valueExportsOf(rendering: RenderingOptions): Promise<Record<string, unknown>> {
  const { valueExports } = rendering.context.config;
  return valueExports.length === 0 ? {} : collectValues(valueExports, await exportDataOf(rendering));
}

/** What the manifest deployer is given. */
export async function manifestConfigOf(rendering: RenderingOptions): Promise<ManifestConfig> {
  const { context } = rendering;
  const { secretPaths = [], values } = context.config;
  const former = formerSecretPaths(context.item, readHelmStatus(context.providerStatus));
  // Which fields a chart has made of which values is not known.
  const isChanged = former.some((path) => !secretPaths.some((other) => isUnderPath(path, other)));
  const known = { values: valuesAt(values, secretPaths), former: isChanged ? [""] : [] };
  const planSecrets = isProvenanceKnown(context.item) ? known : unknownSecrets;
  return { ...(await renderManifests(rendering)).manifests, planSecrets };
}

interface RenderedManifests {
  readonly manifests: ManifestConfig;
  /** Warnings of the objects. */
  readonly warnings: readonly Warning[];
  /** That are to be run. */
  readonly hooks: readonly Hook[];
}

async function renderManifests(rendering: RenderingOptions): Promise<RenderedManifests> {
  const { config, item, signal } = rendering.context;
  const rendered = await renderItem(rendering);
  const ofTemplates = await parsePlacedManifest(rendered.manifest);
  const objects = [
    ...(await parseCrdFiles(rendered.crds)),
    ...ofTemplates.map(({ object }) => object),
    ...(await parseManifests(hooksToApply(rendered, config).map(({ manifest }) => manifest))),
  ];
  const { namespace } = config;
  const placed = await placeObjects(objects, { cluster: rendering.cluster, namespace, signal });
  const manifests: Manifest[] = placed.map((manifest) => ({ policy: isKept(manifest) ? "keep" : "manage", manifest }));
  const own: Manifest[] = config.createNamespace ? [{ policy: "keep", manifest: namespaceObject(namespace) }] : [];
  return {
    manifests: {
      ...emptyConfig(config),
      manifests: expandManifests([...own, ...manifests]),
      extraLabels: helmLabels(item),
    },
    warnings: warnOfDuplicates(ofTemplates, namespace),
    hooks: config.hooks === "run" ? rendered.hooks.filter(isToRun) : [],
  };
}

/** Nobody tests or rolls back what is no release. */
function isToRun({ events }: Hook): boolean {
  return events.some((event) => /install|upgrade|delete/.test(event));
}

function helmLabels(item: DeployItem): Readonly<Record<string, string>> {
  return { [labels.helmDeployItem]: ownerOf(item).value };
}

function namespaceObject(name: string): UnstructuredObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

/** Without manifests. */
export function emptyConfig(config: HelmConfig): ManifestConfig {
  const { updateStrategy = "update", readinessChecks, exports, deletionGroups, deletionGroupsDuringUpdate } = config;
  const { driftDetection, ignoreFields } = config;
  return {
    updateStrategy,
    serverSideApply: config.serverSideApply,
    // A release before, or this deployer by another strategy.
    formerManagers: ["helm", helmDeployerName],
    driftDetection,
    ignoreFields,
    manifests: [],
    readinessChecks,
    exports,
    deletionGroups,
    deletionGroupsDuringUpdate,
    continuousReconcile: undefined,
    // `awaitApproval` has already waited.
    requireApproval: false,
  };
}

/** Hooks that an install would run; those of tests nobody misses. Throws LandscaperError when the configuration has not said what to do. */
function hooksToApply({ hooks }: RenderedItem, config: HelmConfig): Hook[] {
  const relevant = hooks.filter(({ events }) => events.some((event) => /install|upgrade/.test(event)));
  const [first] = relevant;
  if (first === undefined || config.hooks === "skip" || config.hooks === "run") return [];
  if (config.hooks === "apply") return relevant;
  throw new LandscaperError({
    message: `chart has ${relevant.length} hooks, such as ${first.kind} ${first.name} (${first.path}), and without a Helm release nobody runs them`,
    reason: "ChartHooksRefused",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "set helmDeployment to true, or hooks to run, apply or skip",
    retry: "never",
  });
}

function enterProgress(context: DeployContext<HelmConfig>): Progress {
  const { generation } = context.item.metadata;
  const memory = context.memory<{ manifests?: Progress }>(() => ({}));
  if (memory.manifests !== undefined && memory.manifests.generation === generation) return memory.manifests;
  const fresh: Progress = { generation, rendered: undefined, config: undefined, hooks: undefined, slot: {} };
  memory.manifests = fresh;
  return fresh;
}
