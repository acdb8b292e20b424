import type { CliBenchmark, CliMeasure } from "./cli.ts";
import { formatTable } from "../format-table.ts";

function rowOf({ name, ourMilliseconds, theirMilliseconds, ratio, wanted }: CliMeasure): string[] {
  return [
    name,
    `${ourMilliseconds.toFixed(0)} ms`,
    `${theirMilliseconds.toFixed(0)} ms`,
    ratio.toFixed(2),
    wanted === undefined ? "" : String(wanted),
  ];
}

/** The report of `npm run bench -- cli`. */
export function formatCli({ starts, charts, medianRatio, misses }: CliBenchmark): string {
  const verdict = misses.length === 0 ? ["all as required"] : misses.map((miss) => `MISSED: ${miss}`);
  return [
    formatTable([["start", "ours", "empty Node", "ratio", "at most"], ...starts.map(rowOf)]),
    "",
    formatTable([["chart", "ours", "helm", "ratio", "at most"], ...charts.map(rowOf)]),
    "",
    `median of the charts: ${medianRatio.toFixed(2)}`,
    ...verdict,
  ].join("\n");
}
