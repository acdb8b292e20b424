import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import type { HelmBenchmark, HelmMeasure } from "./helm.ts";
import { largeCase } from "./helm-cases.ts";

function milliseconds(nanoseconds: number): string {
  return `${(nanoseconds / 1e6).toFixed(2)} ms`;
}

/** The slowest ones beside Helm, and the large chart. */
const shown = 12;

function rowOf({ name, outputSize, warm, cold }: HelmMeasure): string[] {
  return [
    name,
    `${(outputSize / 1024).toFixed(1)} KiB`,
    milliseconds(warm.ours),
    milliseconds(warm.theirs),
    warm.ratio.toFixed(2),
    milliseconds(cold.ours),
    milliseconds(cold.theirs),
    cold.ratio.toFixed(2),
  ];
}

/** The report of `npm run bench -- helm`. */
export function formatHelm(benchmark: HelmBenchmark): string {
  const { charts, warmRatio, coldRatio, versionRatios, large, memoryMiB, misses } = benchmark;
  const header = ["chart", "output", "warm ours", "warm Helm", "ratio", "cold ours", "cold Helm", "ratio"];
  const slowest = charts.filter(({ name }) => name !== largeCase).toSorted((a, b) => b.warm.ratio - a.warm.ratio);
  const rows = [...charts.filter(({ name }) => name === largeCase), ...slowest.slice(0, shown)].map(rowOf);
  const mean = [`geometric mean of ${charts.length}`, "", "", "", warmRatio.toFixed(2), "", "", coldRatio.toFixed(2)];
  return [
    formatTable([header, ...rows, mean]),
    "",
    `as Helm 4, our engine takes ${versionRatios.warm.toFixed(2)} (warm) and ${versionRatios.cold.toFixed(2)} (cold) of the time that it takes as Helm 3`,
    `the large chart, warm: ${large.wall.toFixed(0)} ms, ${large.processor.toFixed(0)} ms of processor time; reading and rendering it once takes ${memoryMiB.toFixed(0)} MiB`,
    ...formatVerdict(misses),
  ].join("\n");
}
