import { readFileSync } from "node:fs";
import { join } from "node:path";
import { samplePath } from "../examples/sample-folder.ts";

/** A path among the public charts that LANDSCAPER_SAMPLES hands over, with what the real Helm makes of them. */
export function sampleChartPath(path: string): string {
  return join(samplePath("charts"), path);
}

/** A chart with values, and what Helm prints for it. */
export interface SampleChart {
  readonly id: string;
  /** Both below the folder of the charts. */
  readonly chart: string;
  readonly values: string | null;
  readonly expect: "output" | "error";
  /** Whether it draws random values, which are others each time. */
  readonly random: boolean;
}

/** All cases. */
export function sampleCharts(): SampleChart[] {
  return JSON.parse(readFileSync(sampleChartPath("cases.json"), "utf8")) as SampleChart[]; // its README says so
}

/** What Helm prints: stdout, or stderr of a case that fails. */
export function goldenOf({ id, expect }: SampleChart): string {
  return readFileSync(sampleChartPath(`golden/${id}.${expect === "error" ? "err" : "yaml"}`), "utf8");
}

/** The words behind `helm template` that the results were recorded with. */
export function wordsOfSample({ chart, values }: SampleChart): string[] {
  const flags = values === null ? [] : ["-f", sampleChartPath(values)];
  return ["rel", sampleChartPath(chart), "--namespace", "ns", "--kube-version", "1.35.0", ...flags];
}

/** A text in which the values of lines that two runs make differently are hidden. */
export function maskRandom(text: string, runs: readonly [string, string]): string {
  const [first, second] = runs.map((run) => run.split("\n")) as [string[], string[]];
  const lines = text
    .split("\n")
    .map((line, at) => (first[at] === second[at] ? line : line.replace(/[^\s:-]\S*$/, "?")));
  return lines.join("\n");
}
