import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readGoldenRendering, readRendering, renderingNames, writeRendering } from "@landscaper/helm/testing";
import { sampleChartPath, sampleCharts } from "../../src/artifacts/sample-charts.ts";
import { findSampleFolder } from "../../src/examples/sample-folder.ts";
import { largeChart } from "./large-chart.ts";

/** A chart on disk, with a file of values or none. */
export interface HelmCase {
  readonly name: string;
  readonly chart: string;
  readonly values: string | undefined;
}

/** The case with its own budgets. */
export const largeCase = "large chart";

/** Charts that the bench writes into a folder, and the public ones where LANDSCAPER_SAMPLES hands them over. */
export async function helmCases(folder: string): Promise<HelmCase[]> {
  return [writeLarge(join(folder, "large")), ...(await ownCases(folder)), ...publicCases()];
}

function writeLarge(chart: string): HelmCase {
  for (const [name, text] of largeChart()) {
    const file = join(chart, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { name: largeCase, chart, values: undefined };
}

/** Charts with random output, which cannot be compared. */
const random = new Set(["certificates", "passwords", "random"]);

/** The charts of libs/helm that render, and are not about the words of the command. */
async function ownCases(folder: string): Promise<HelmCase[]> {
  const names = renderingNames().filter((name) => {
    const isPlain = readRendering(name).cases[0]?.words === undefined && !random.has(name);
    return isPlain && readGoldenRendering(name)[0]?.status === 0;
  });
  const cases: HelmCase[] = [];
  for (const name of names) {
    const chart = join(folder, name);
    await writeRendering(chart, readRendering(name));
    cases.push({ name, chart, values: undefined });
  }
  return cases;
}

function publicCases(): HelmCase[] {
  if (findSampleFolder(process.env) === undefined) return [];
  const samples = sampleCharts().filter(({ expect, random }) => expect === "output" && !random);
  return samples.map(({ id, chart, values }) => ({
    name: id,
    chart: sampleChartPath(chart),
    values: values === null ? undefined : sampleChartPath(values),
  }));
}
