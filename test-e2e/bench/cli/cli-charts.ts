import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { largeChart as largeShape, type LargeShape } from "@landscaper/helm/testing";
import { sampleCharts, wordsOfSample } from "../../src/artifacts/sample-charts.ts";
import { findSampleFolder } from "../../src/examples/sample-folder.ts";
import { largeChart } from "../helm/large-chart.ts";

/** A chart as both commands get it: the words behind `helm template`. */
export interface ChartCall {
  readonly name: string;
  readonly words: readonly string[];
  /** Whether the bench generates the chart. */
  readonly isOwn: boolean;
  /** Whether two renderings differ. */
  readonly random: boolean;
}

type Files = ReadonlyMap<string, string>;

const metadata = ["Chart.yaml", "apiVersion: v2\nname: generated\nversion: 1.0.0\n"] as const;

const largeFiles = (shape: LargeShape, bytes: number): Files => new Map(Object.entries(largeShape(shape, bytes)));

/** Charts of 0.5 to 5 MB of output, by what there is much of. */
const generated: Readonly<Record<string, () => Files>> = {
  "mixed, 1 MB": largeChart,
  "CRDs, 0.5 MB": () => largeFiles("crds", 500_000),
  "CRDs, 2 MB": () => largeFiles("crds", 2_000_000),
  "CRDs, 5 MB": () => largeFiles("crds", 5_000_000),
  "templates, 0.5 MB": () => largeFiles("templates", 500_000),
  "templates, 2 MB": () => largeFiles("templates", 2_000_000),
  "includes, 0.5 MB": () => largeFiles("range", 500_000),
  "includes, 2 MB": () => largeFiles("range", 2_000_000),
};

function write(folder: string, files: Files): void {
  for (const [name, text] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Writes the generated charts into a folder; with one case of each public chart where LANDSCAPER_SAMPLES hands them over. */
export function chartCalls(folder: string): ChartCall[] {
  const own = Object.entries(generated).map(([name, files], index) => {
    const chart = join(folder, `generated-${index}`);
    write(chart, files());
    return { name, words: ["rel", chart], isOwn: true, random: false };
  });
  if (findSampleFolder(process.env) === undefined) return own;
  const samples = new Map<string, ChartCall>();
  // Those that draw no random values first: their output can be compared.
  for (const sample of sampleCharts().toSorted((a, b) => Number(a.random) - Number(b.random))) {
    if (sample.expect !== "output" || samples.has(sample.chart)) continue;
    samples.set(sample.chart, { name: sample.id, words: wordsOfSample(sample), isOwn: false, random: sample.random });
  }
  return [...samples.values(), ...own];
}

/** A chart with one small template. */
export function writeSmallChart(folder: string): string {
  write(
    folder,
    new Map([metadata, ["templates/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: small }\n"]]),
  );
  return folder;
}
