import { fromPlain, type GoMap } from "@landscaper/golang";
import { fromYaml } from "@landscaper/goyaml";
import {
  type Chart,
  CompiledCharts,
  defaultApiVersions,
  loadChart,
  processDependencies,
  renderChart,
  renderValues,
} from "@landscaper/helm";

export type Values = Readonly<Record<string, unknown>>;

/** An object of a chart. */
export interface ChartObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Values };
  readonly [field: string]: unknown;
}

/** What a chart renders to. */
export interface Rendering {
  /** All manifests, hooks and notes, to compare. */
  readonly text: string;
  readonly objects: readonly ChartObject[];
  readonly hooks: readonly ChartObject[];
  readonly notes: string;
  /** The object of a kind; throws where there is not exactly one, or none of this name. */
  find(kind: string, name?: string): ChartObject;
}

/** Default: a first install of "ls" in landscaper-system. */
export interface RenderedRelease {
  readonly name?: string;
  readonly namespace?: string;
  readonly isUpgrade?: boolean;
}

/** A chart that renders again and again, in this process: a walk over all values needs some thousand renderings. */
export interface RenderableChart {
  /** Throws ChartError or TemplateError in Helm's words. */
  readonly render: (values?: Values, release?: RenderedRelease) => Rendering;
}

export async function openChart(path: string): Promise<RenderableChart> {
  const compiled = new CompiledCharts();
  const chart = await loadChart(path);
  return { render: (values = {}, release = {}) => render({ chart, compiled, values, release }) };
}

interface Input {
  readonly chart: Chart;
  readonly compiled: CompiledCharts;
  readonly values: Values;
  readonly release: RenderedRelease;
}

function render({ chart: loaded, compiled, values: plain, release }: Input): Rendering {
  const given = fromPlain(structuredClone(plain)) as GoMap; // of a plain object
  const chart = processDependencies(loaded, given);
  const values = renderValues(chart, given);
  const { manifests, hooks, notes } = renderChart(chart, {
    values,
    compiled,
    release: { name: "ls", namespace: "landscaper-system", ...release },
    capabilities: { apiVersions: defaultApiVersions },
    hasSubchartNotes: true,
  });
  const contents = manifests.map(({ content }) => content);
  const objects = contents.map((content) => fromYaml(content) as ChartObject); // API server and tests check it
  return {
    text: [...contents, ...hooks.map(({ manifest }) => manifest), notes].join("\n---\n"),
    objects,
    hooks: hooks.map(({ manifest }) => fromYaml(manifest) as ChartObject), // as of objects
    notes,
    find: (kind, name) => findOne(objects, kind, name),
  };
}

function findOne(objects: readonly ChartObject[], kind: string, name: string | undefined): ChartObject {
  const found = objects.filter((each) => each.kind === kind && (name === undefined || each.metadata.name === name));
  const [object] = found;
  if (object === undefined || found.length > 1) {
    throw new Error(`expected one ${kind} ${name ?? ""}, found ${JSON.stringify(found.map((each) => each.metadata))}`);
  }
  return object;
}

/** The file config.yaml that the pods of a chart read. */
export function configurationOf(rendering: Rendering, name?: string): unknown {
  const maps = rendering.objects.filter(
    ({ kind, data }) => kind === "ConfigMap" && Object.hasOwn(Object(data), "config.yaml"),
  );
  const map = maps.find(({ metadata }) => name === undefined || metadata.name === name);
  return fromYaml(String(Reflect.get(Object(map?.["data"]), "config.yaml")));
}
