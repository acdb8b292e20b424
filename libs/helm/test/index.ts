import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type GoMap, fromPlain, type NamedMap } from "@landscaper/golang";
import { TemplateError } from "@landscaper/gotemplate";
import type { ChartMetadata } from "../src/chart/chart.ts";
import { chartScope, releaseScope, type ReleaseScope } from "../src/objects/chart-scope.ts";
import { type ChartTemplate, renderTemplates } from "../src/rendering/render-templates.ts";

/** Templates with what Helm makes of them: templates/a.yaml of the chart in chart.json. */
export interface GoldenCase {
  readonly template: string;
  /** More templates of the chart by path. */
  readonly more?: Readonly<Record<string, string>>;
  /** Other values than the chart's. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly upgrade?: boolean;
  /** The result is all rendered files as JSON. */
  readonly all?: boolean;
  readonly out?: string;
  readonly error?: string;
}

interface FixtureChart {
  readonly metadata: ChartMetadata;
  readonly values: Readonly<Record<string, unknown>>;
  /** Content in base64 by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly templates?: Readonly<Record<string, string>>;
  readonly charts?: readonly FixtureChart[];
}

/** Where the recorded cases are: results of Helm v3.22.0, from our templates. */
export const goldenFolder: string = join(import.meta.dirname, "../testdata");

const chartFile = "chart.json";

export function goldenFiles(): string[] {
  const files = readdirSync(goldenFolder).filter((file) => file.endsWith(".json") && file !== chartFile);
  return files.toSorted();
}

export function readGolden(file: string): GoldenCase[] {
  return JSON.parse(readFileSync(join(goldenFolder, file), "utf8")) as GoldenCase[];
}

const fixture = JSON.parse(readFileSync(join(goldenFolder, chartFile), "utf8")) as FixtureChart;

/** What our engine makes of a case. */
export function runOurs({ template, more, values, upgrade, all }: GoldenCase): Pick<GoldenCase, "out" | "error"> {
  const chart = {
    ...fixture,
    values: values ?? fixture.values,
    templates: { ...fixture.templates, "templates/a.yaml": template, ...more },
  };
  const release = releaseScope(
    { name: "rel", namespace: "ns", isUpgrade: upgrade ?? false },
    { kubeVersion: "v1.35.0" },
  );
  const built = buildChart(chart, { path: chart.metadata.name, isRoot: true, values: plainMap(chart.values), release });
  const now = (): Date => new Date(Date.UTC(2024, 1, 29, 13, 4, 5));
  try {
    const rendered = renderTemplates(built.templates, { now, random: (bytes) => new Uint8Array(bytes) });
    if (all !== true) return { out: rendered.get(`${chart.metadata.name}/templates/a.yaml`) ?? "" };
    return { out: JSON.stringify(Object.fromEntries([...rendered].toSorted(([a], [b]) => (a < b ? -1 : 1)))) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  readonly values: GoMap;
  readonly release: ReleaseScope;
}

function buildChart(chart: FixtureChart, place: Place): { scope: NamedMap; templates: ChartTemplate[] } {
  const subcharts = new Map<string, NamedMap>();
  const templates: ChartTemplate[] = [];
  for (const sub of chart.charts ?? []) {
    const { name } = sub.metadata;
    const values = subchartValues(sub, place.values);
    const built = buildChart(sub, { ...place, path: `${place.path}/charts/${name}`, isRoot: false, values });
    subcharts.set(name, built.scope);
    templates.push(...built.templates);
  }
  const files = new Map(Object.entries(chart.files ?? {}).map(([path, data]) => [path, Buffer.from(data, "base64")]));
  const { metadata } = chart;
  const scope = chartScope({ metadata, isRoot: place.isRoot, values: place.values, files, subcharts }, place.release);
  const basePath = `${place.path}/templates`;
  for (const [path, text] of Object.entries(chart.templates ?? {})) {
    templates.push({ name: `${place.path}/${path}`, text, basePath, scope });
  }
  return { scope, templates };
}

/** As far as the fixture needs it: the parent's table wins, and globals flow down. */
function subchartValues(sub: FixtureChart, parent: GoMap): GoMap {
  const { name } = sub.metadata;
  const own = plainMap(sub.values);
  const given = parent.get(name);
  const values: GoMap = new Map([...own, ...(given instanceof Map ? given : [])]);
  const globals = [own.get("global"), parent.get("global")].flatMap((map) => (map instanceof Map ? [...map] : []));
  values.set("global", new Map(globals));
  parent.set(name, values);
  return values;
}

function plainMap(values: Readonly<Record<string, unknown>>): GoMap {
  const map = fromPlain(values);
  return map instanceof Map ? map : new Map();
}

export { type ChartCase, type ChartResult, runChart } from "./charts.ts";
export { packArchive } from "./archives.ts";
export { runTemplateCase, type TemplateCase, type TemplateCaseResult } from "./templates.ts";
export { runSet, type SetCase, type SetResult } from "./sets.ts";

export {
  packageNames,
  packAsRecorded,
  packedResult,
  type PackedRendering,
  readPackage,
  unpackBeside,
  writePackage,
} from "./packages.ts";
export {
  differenceOf,
  goldenRenderingFile,
  plainRendering,
  readGoldenRendering,
  readRendering,
  renderingNames,
  renderingWords,
  writeRendering,
  type Rendering,
  type RenderingCase,
  type RenderingFile,
  type RenderingResult,
} from "./renderings.ts";
export { largeChart, type LargeShape, largeShapes } from "./large-charts.ts";
export { readTables, type Tables, wordsOf } from "./tables.ts";
