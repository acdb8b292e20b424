import type { CliBenchmark, CliMeasure } from "./cli.ts";
import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";

function rowOf({ name, clock, ourMilliseconds, theirMilliseconds, ratio, budget }: CliMeasure): string[] {
  return [
    name,
    clock,
    `${ourMilliseconds.toFixed(0)} ms`,
    `${theirMilliseconds.toFixed(0)} ms`,
    ratio.toFixed(2),
    String(budget),
  ];
}

/** The report of `npm run bench -- cli`. */
export function formatCli({ starts, charts, medianRatio, misses }: CliBenchmark): string {
  return [
    "V8's compiled code is in its cache, except where a row says otherwise.",
    formatTable([["start", "time", "ours", "empty Node", "ratio", "at most"], ...starts.map(rowOf)]),
    "",
    formatTable([["chart", "time", "ours", "helm", "ratio", "at most"], ...charts.map(rowOf)]),
    "",
    `median of the charts: ${medianRatio.toFixed(2)}`,
    ...formatVerdict(misses),
  ].join("\n");
}
