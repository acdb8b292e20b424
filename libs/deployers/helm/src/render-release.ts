import { randomBytes } from "node:crypto";
import { decodeUtf8, fromPlain, toPlain, type GoMap } from "@landscaper/golang";
import {
  formatManifests,
  processDependencies,
  releaseScope,
  renderChart,
  renderValues,
  renderWithLookups,
  type Capabilities,
  type Chart,
  type CompiledCharts,
  type FetchObject,
  type Release,
  type RenderedChart,
} from "@landscaper/helm";
import { chartRecord, parseManifest, type DeploymentContent } from "@landscaper/helm-release";
import { createKey } from "@landscaper/x509";
import { chartFailure, renderFailure } from "./chart-failure.ts";

export interface RenderInput {
  readonly chart: Chart;
  /** Of the user; plain JSON. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly release: Release;
  readonly capabilities: Capabilities;
  readonly skipsSchemas: boolean;
  readonly compiled: CompiledCharts;
  /** Answers `lookup`. */
  readonly fetch: FetchObject;
  /** In ms since the epoch. */
  readonly now: number;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Renders a chart for a release, with `lookup` on the target. Throws LandscaperError: InvalidChart for values that do not suit it,
 * ChartRenderingFailed for templates that fail, final unless they have looked something up.
 */
export async function renderRelease(input: RenderInput): Promise<RenderedChart & { readonly chart: Chart }> {
  const { release, capabilities, compiled, fetch, now, warn, signal } = input;
  const { name } = input.chart.metadata;
  const chart = processed(input);
  let mayChange = false;
  try {
    const rendered = await renderWithLookups(
      (sources) => {
        const values = valuesFor(chart, input);
        return renderChart(chart, { ...sources, values, release, capabilities, compiled, budget });
      },
      {
        fetch: async (query, aborted) => {
          mayChange = true;
          return await fetch(query, aborted);
        },
        now: () => new Date(now),
        random: (bytes) => randomBytes(bytes),
        createKey,
        signal,
      },
    );
    for (const events of rendered.unknownHooks) warn(`chart ${name}: skipped a hook of unknown events "${events}"`);
    return { ...rendered, chart };
  } catch (error) {
    throw renderFailure(error, { chart: name, mayChange });
  }
}

/** Beside the template engine's own limits of steps, depth and output: of each file. In ms. */
const budget = { timeoutMs: 5000, clock: () => performance.now() };

function processed({ chart, given, warn }: Pick<RenderInput, "chart" | "given" | "warn">): Chart {
  try {
    return processDependencies(chart, goValues(given), warn);
  } catch (error) {
    throw chartFailure(error, chart.metadata.name);
  }
}

/** Anew each time: templates may change them. */
function valuesFor(
  chart: Chart,
  { given, skipsSchemas, warn }: Pick<RenderInput, "given" | "skipsSchemas" | "warn">,
): GoMap {
  try {
    return renderValues(chart, goValues(given), { warn, skipsSchemas });
  } catch (error) {
    throw chartFailure(error, chart.metadata.name);
  }
}

function goValues(given: Readonly<Record<string, unknown>>): GoMap {
  const values = fromPlain(given);
  return values instanceof Map ? values : new Map();
}

/** What a revision of the release is made of. */
export function contentOf(
  { chart, ...rendered }: Awaited<ReturnType<typeof renderRelease>>,
  given: Readonly<Record<string, unknown>>,
): DeploymentContent {
  return {
    chart: chartRecord(chart),
    config: given,
    manifest: formatManifests(rendered),
    hooks: rendered.hooks,
    notes: rendered.notes,
    crds: rendered.crds.flatMap(({ data }) => parseManifest(decodeUtf8(data))),
  };
}

/** What exports without fromResource read: Values, Release, Chart and Capabilities, as plain data. */
export function exportData(input: Pick<RenderInput, "chart" | "given" | "warn" | "release" | "capabilities">): unknown {
  const chart = processed(input);
  const { release, capabilities } = releaseScope(input.release, input.capabilities);
  const fields = Object.entries(chart.metadata);
  return {
    Values: toPlain(valuesFor(chart, { ...input, skipsSchemas: true })),
    Release: toPlain(release),
    // Under both names, as templates and Chart.yaml have them.
    Chart: Object.fromEntries(
      fields.flatMap(([key, value]) => [
        [key, value],
        [upperFirst(key), value],
      ]),
    ),
    Capabilities: toPlain(capabilities),
  };
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
