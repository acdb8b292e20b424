import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import type { TemplatesBenchmark } from "./templates.ts";

function microseconds(nanoseconds: number): string {
  return `${(nanoseconds / 1000).toFixed(nanoseconds < 100_000 ? 1 : 0)} us`;
}

function milliseconds(nanoseconds: number): string {
  return `${(nanoseconds / 1e6).toFixed(nanoseconds < 1e7 ? 2 : 0)} ms`;
}

function templateTable({ templates, templatesRatio }: TemplatesBenchmark): string {
  const rows = templates.map(({ name, execution, ourParseNanoseconds, theirParseNanoseconds }) => [
    name,
    microseconds(execution.ours),
    microseconds(execution.theirs),
    execution.ratio.toFixed(2),
    microseconds(ourParseNanoseconds),
    microseconds(theirParseNanoseconds),
  ]);
  const header = ["Go template", "ours", "Go", "ratio", "parse ours", "parse Go"];
  return formatTable([header, ...rows, ["geometric mean", "", "", templatesRatio.toFixed(2), "", ""]]);
}

function spiffTable({ spiff }: TemplatesBenchmark): string {
  const rows = spiff.map(({ name, evaluation, firstNanoseconds }) => [
    name,
    milliseconds(evaluation.ours),
    milliseconds(evaluation.theirs),
    `${(1 / evaluation.ratio).toFixed(1)}x`,
    milliseconds(firstNanoseconds),
  ]);
  return formatTable([["spiff document", "ours", "reference", "faster", "first run"], ...rows]);
}

/** The report of `npm run bench -- templates`. */
export function formatTemplates(benchmark: TemplatesBenchmark): string {
  return [templateTable(benchmark), "", spiffTable(benchmark), "", ...formatVerdict(benchmark.misses)].join("\n");
}
