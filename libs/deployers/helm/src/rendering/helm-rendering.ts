import { redactTextsInTurns, type JsonPath } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { maskingFailure } from "./masking-failure.ts";
import { checkPatchedNames, checkReleaseNames, checkRenderedNames } from "./secret-names.ts";
import type { PreviewContext } from "@landscaper/deployer";
import {
  liveLookup,
  parseCrdFiles,
  readCapabilities,
  type DeploymentContent,
  type RevisionTexts,
} from "@landscaper/helm-release";
import type { TargetCluster } from "@landscaper/resources";
import type { DifferenceName, FetchSchema, HelmVersion } from "@landscaper/helm";
import type { ChartStore, LoadedChart } from "./chart-store.ts";
import type { HelmConfig } from "../helm-config.ts";
import type { RenderedItem, RenderInput } from "./render-release.ts";

export interface RenderingOptions {
  readonly context: PreviewContext<HelmConfig>;
  readonly cluster: TargetCluster;
  readonly charts: ChartStore;
  readonly loaded: LoadedChart;
  /** What the templates are told of the release. */
  readonly revision: number;
  readonly isUpgrade: boolean;
  readonly helmVersion: HelmVersion;
  /** Difference that is taken from the other version of Helm. The result only explains another rendering. */
  readonly replaced?: DifferenceName | undefined;
  /** Time that templates see, in ms since the epoch. Default: the clock's. */
  readonly now?: number | undefined;
}

/** Renders the chart of an item for its target. Throws LandscaperError. */
export async function renderItem(options: RenderingOptions): Promise<RenderedItem> {
  const { context, cluster, charts, loaded, isUpgrade, replaced } = options;
  const { config, item, log, signal } = context;
  const phase = isUpgrade ? config.options.upgrade : config.options.install;
  const skipsSchemas = phase?.skipSchemaValidation === true;
  const input = { ...(await inputOf(options)), replaced, skipsSchemas, postRender: config.postRender?.source };
  const fetchSchema: FetchSchema = async (url) => charts.schemas.fetch(url, signal);
  const render = async (perturbedAt?: readonly JsonPath[]): Promise<RenderedItem> =>
    await charts.renderer.perform(
      { type: "render", chart: loaded.packed, input, perturbedAt },
      { name: loaded.origin.name, item, fetch: liveLookup(cluster, signal), fetchSchema, signal },
    );
  if (config.allowSecretNames !== true) {
    checkReleaseNames(item);
    checkPatchedNames(item, config.postRender?.patches ?? []);
  }
  const { secretPaths = [], secrets } = config;
  const rendered = await maskingFailure(secretPaths, render, signal);
  if (config.allowSecretNames !== true && replaced === undefined) {
    const { release } = input;
    await checkRenderedNames({ chart: loaded.origin.name, release, rendered, secretPaths, secrets, render });
  }
  for (const warning of await redactTextsInTurns(rendered.warnings, config.secrets, createBreather()))
    log.debug({ chart: loaded.origin.name }, warning);
  return rendered;
}

/** What value exports read. */
export async function exportDataOf(options: RenderingOptions): Promise<unknown> {
  const { charts, loaded, context } = options;
  return await charts.renderer.perform(
    { type: "exportData", chart: loaded.packed, input: await inputOf(options) },
    { name: loaded.origin.name, item: context.item, signal: context.signal },
  );
}

async function inputOf({
  context,
  cluster,
  revision,
  isUpgrade,
  helmVersion,
  now,
}: RenderingOptions): Promise<Omit<RenderInput, "skipsSchemas" | "postRender">> {
  const { config, clock, signal } = context;
  const { name, namespace, given } = config;
  const capabilities = await readCapabilities(cluster, { elapsedMs: clock.elapsed(), signal });
  return {
    given,
    release: { name, namespace, revision, isUpgrade },
    capabilities,
    helmVersion,
    now: now ?? clock.now(),
  };
}

/** Returns manifest and hooks of a rendered chart in the form of a release record. */
export function textsOf({ manifest, hooks }: Pick<RenderedItem, "manifest" | "hooks">): RevisionTexts {
  return {
    manifest,
    hooks: hooks.map(({ deletePolicies, ...hook }) => ({ ...hook, delete_policies: deletePolicies })),
  };
}

/** What a revision of the release is made of. */
export async function contentOf(
  { chart, manifest, hooks, notes, crds }: RenderedItem,
  given: Readonly<Record<string, unknown>>,
): Promise<DeploymentContent> {
  return { chart, config: given, manifest, hooks, notes, crds: await parseCrdFiles(crds) };
}
