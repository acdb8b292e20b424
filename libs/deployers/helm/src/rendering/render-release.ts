import { randomBytes } from "node:crypto";
import type { PostRenderFields } from "@landscaper/api";
import { ContentBudget, processMemory, processorClock } from "@landscaper/budget";
import type { Budget } from "@landscaper/gotemplate";
import { decodeUtf8, mapFromPlain, toPlain, type GoMap } from "@landscaper/golang";
import {
  chartRecord,
  formatManifests,
  loadDialect,
  loadHybrid,
  processDependencies,
  releaseScope,
  renderChart,
  renderValues,
  renderWithLookups,
  withRemoteSchemas,
  type Capabilities,
  type Chart,
  type CompiledCharts,
  type DifferenceName,
  type FetchObject,
  type FetchSchema,
  type HelmDialect,
  type HelmVersion,
  type Hook,
  type Release,
  type RemoteSchemas,
  type RenderedChart,
} from "@landscaper/helm";
import { createKey } from "@landscaper/x509";
import { parsePostRender } from "../post-render/post-render-config.ts";
import { postRender } from "../post-render/post-render.ts";
import { chartFields } from "./chart-fields.ts";
import { chartFailure, renderFailure } from "./chart-failure.ts";

/** What a rendering is told; can be copied to another thread. */
export interface RenderInput {
  /** Of the user; plain JSON. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly release: Release;
  readonly capabilities: Capabilities;
  readonly helmVersion: HelmVersion;
  /** Difference that is taken from the other version of Helm, to find what it changes. */
  readonly replaced?: DifferenceName | undefined;
  readonly skipsSchemas: boolean;
  /** As the configuration has it, which has been checked. */
  readonly postRender: PostRenderFields | undefined;
  /** In ms since the epoch. */
  readonly now: number;
}

export interface RenderContext {
  /** What a rendering may have in use beyond what is there already. */
  readonly memoryBytes: number;
  readonly compiled: CompiledCharts;
  /** Answers `lookup`. */
  readonly fetch: FetchObject;
  readonly fetchSchema: FetchSchema;
  readonly signal: AbortSignal;
}

/** What a chart makes for a release; can be copied to another thread. */
export interface RenderedItem {
  /** As a release record keeps the chart. */
  readonly chart: Readonly<Record<string, unknown>>;
  /** As `formatManifests` gives it: without hooks and crds/. */
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  readonly notes: string;
  /** Texts of crds/. */
  readonly crds: readonly string[];
  /** What was wrong with chart or values without being an error. */
  readonly warnings: readonly string[];
}

/**
 * Renders a chart for a release, with `lookup` on the target. Throws LandscaperError: InvalidChart for values that do not suit it,
 * ChartRenderingFailed for templates that fail, final unless they have looked something up.
 */
export async function renderRelease(
  loaded: Chart,
  input: RenderInput,
  { compiled, memoryBytes, fetch, fetchSchema, signal }: RenderContext,
): Promise<RenderedItem> {
  const { release, capabilities } = input;
  const dialect = await loadHybrid(input.helmVersion, input.replaced);
  const { name } = loaded.metadata;
  const warnings = new Set<string>();
  const warn = (text: string): unknown => warnings.add(text);
  const chart = processed(loaded, input, { warn, dialect });
  const checked = await checkedValues(chart, input, { fetchSchema, signal, warn, dialect });
  let mayChange = false;
  try {
    const rendered = await renderWithLookups(
      (sources) => {
        const values = mapFromPlain(checked);
        const budget = startBudget(memoryBytes);
        return renderChart(chart, { ...sources, values, release, capabilities, dialect, compiled, budget, maxBytes });
      },
      {
        fetch: async (query, aborted) => {
          mayChange = true;
          return await fetch(query, aborted);
        },
        now: () => new Date(input.now),
        random: (bytes) => randomBytes(bytes),
        createKey,
        signal,
      },
    );
    for (const events of rendered.unknownHooks) warn(`chart ${name}: skipped a hook of unknown events "${events}"`);
    const rules = parsePostRender(input.postRender, "postRender");
    return {
      chart: chartRecord(chart),
      ...formatRendered(
        rules === undefined ? rendered : postRender(rendered, rules, { namespace: release.namespace, dialect }),
      ),
      notes: rendered.notes,
      crds: rendered.crds.map(({ data }) => decodeUtf8(data)),
      warnings: [...warnings],
    };
  } catch (error) {
    throw renderFailure(error, { chart: name, mayChange, templates: () => compiled.compile(chart).set.names });
  }
}

function formatRendered(
  rendered: Pick<RenderedChart, "manifests" | "hooks">,
): Pick<RenderedItem, "manifest" | "hooks"> {
  return { manifest: formatManifests({ crds: [], manifests: rendered.manifests }), hooks: rendered.hooks };
}

/** Of all files of a chart: the deployer applies them one by one, and keeps them in the record of the release. */
const maxBytes = 16 * 1024 * 1024;

/** Of one rendering of the whole chart. Its time is that of the job, which the thread measures. */
function startBudget(memoryBytes: number): Budget {
  const timeMs = Number.POSITIVE_INFINITY;
  return { content: new ContentBudget({ timeMs, memoryBytes, clock: processorClock, memory: processMemory }) };
}

type Warn = (text: string) => unknown;

interface ValueOptions {
  readonly warn: Warn;
  readonly dialect: HelmDialect;
}

function processed(chart: Chart, { given }: Pick<RenderInput, "given">, options: ValueOptions): Chart {
  try {
    return processDependencies(chart, mapFromPlain(given), options);
  } catch (error) {
    throw chartFailure(error, chart.metadata.name);
  }
}

/** Throws LandscaperError for values that do not suit the chart, and where the host of a schema does not answer. */
async function checkedValues(
  chart: Chart,
  { given, skipsSchemas }: RenderInput,
  { fetchSchema: fetch, signal, ...options }: Pick<RenderContext, "fetchSchema" | "signal"> & ValueOptions,
): Promise<GoMap> {
  const check = (remoteSchemas: RemoteSchemas): GoMap =>
    valuesFor(chart, { given, skipsSchemas, remoteSchemas }, options);
  try {
    return await withRemoteSchemas(check, { fetch, signal });
  } catch (error) {
    throw chartFailure(error, chart.metadata.name);
  }
}

interface GivenValues extends Pick<RenderInput, "given" | "skipsSchemas"> {
  readonly remoteSchemas?: RemoteSchemas;
}

function valuesFor(chart: Chart, { given, ...checks }: GivenValues, options: ValueOptions): GoMap {
  try {
    return renderValues(chart, mapFromPlain(given), { ...checks, ...options });
  } catch (error) {
    throw chartFailure(error, chart.metadata.name);
  }
}

/** What exports without fromResource read: Values, Release, Chart and Capabilities, as plain data. */
export async function exportData(
  loaded: Chart,
  input: Pick<RenderInput, "given" | "release" | "capabilities" | "helmVersion">,
): Promise<Readonly<Record<string, unknown>>> {
  const dialect = await loadDialect(input.helmVersion);
  // The rendering has already warned.
  const options = { warn: (): void => undefined, dialect };
  const chart = processed(loaded, input, options);
  const { release, capabilities } = releaseScope(input.release, input.capabilities, dialect);
  return {
    Values: toPlain(valuesFor(chart, { given: input.given, skipsSchemas: true }, options)),
    Release: toPlain(release),
    Chart: chartFields(chart.metadata),
    Capabilities: toPlain(capabilities),
  };
}
