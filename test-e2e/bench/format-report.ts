import type { InstallationsBenchmark } from "./installations/installations.ts";
import { requestsOf, type PhaseMeasure } from "./measure/measure.ts";
import { rawWrites } from "./installations/raw-client.ts";

/** Columns as wide as their widest cell; the first is left-aligned. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const format = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(format).join("  ").trimEnd()).join("\n");
}

function phaseTable({ count, phases }: InstallationsBenchmark, rawSeconds: number): string {
  const rows = phases.map((phase) => [
    phase.phase,
    `${phase.seconds.toFixed(1)} s`,
    `${(phase.seconds / rawSeconds).toFixed(2)}x`,
    `${phase.p50Seconds.toFixed(2)} s`,
    `${phase.p99Seconds.toFixed(2)} s`,
    (requestsOf(phase) / count).toFixed(1),
  ]);
  return formatTable([["phase", "time", "to raw", "p50", "p99", "requests each"], ...rows]);
}

function requestTable({ phase, services }: PhaseMeasure, count: number): string {
  const kinds = [...new Set(services.flatMap(({ requests }) => Object.keys(requests)))].toSorted();
  const rows = kinds.map((kind) => {
    const counts = services.map(({ requests }) => requests[kind] ?? 0);
    const all = counts.reduce((sum, each) => sum + each, 0);
    return [kind, ...counts.map(String), String(all), (all / count).toFixed(1)];
  });
  return formatTable([[`${phase}: request`, ...services.map(({ name }) => name), "all", "each"], ...rows]);
}

function processTable({ phases }: InstallationsBenchmark): string {
  const [first] = phases;
  const names = [...(first?.services ?? []), ...(first?.controlPlane ?? [])].map(({ name }) => name);
  const find = (phase: PhaseMeasure, name: string): { cpuSeconds: number; peakRssMiB: number } | undefined =>
    [...phase.services, ...phase.controlPlane].find((each) => each.name === name);
  const rows = names.map((name) => [
    name,
    ...phases.map((phase) => `${(find(phase, name)?.cpuSeconds ?? 0).toFixed(1)} s`),
    `${Math.max(...phases.map((phase) => find(phase, name)?.peakRssMiB ?? 0)).toFixed(0)} MiB`,
  ]);
  return formatTable([["process", ...phases.map(({ phase }) => `CPU ${phase}`), "peak RSS"], ...rows]);
}

/** The report of `npm run bench -- installations`. */
export function formatInstallations(benchmark: InstallationsBenchmark): string {
  const { count, inFlight, rawSeconds, phases, misses } = benchmark;
  const [before, after] = rawSeconds;
  const mean = (before + after) / 2;
  return [
    `${count} Installations on kube-apiserver v1.34.1`,
    `raw client: ${mean.toFixed(1)} s (${before.toFixed(1)} s before, ${after.toFixed(1)} s after), ` +
      `${rawWrites} writes each, ${inFlight} in flight`,
    "",
    phaseTable(benchmark, mean),
    "",
    ...phases.flatMap((phase) => [requestTable(phase, count), ""]),
    processTable(benchmark),
    "",
    `one on an idle system: ${benchmark.single.secondsOfOne.toFixed(2)} s; ` +
      `a job that changes nothing: ${benchmark.single.requestsOfNoOp.toFixed(1)} requests`,
    "",
    ...(misses.length === 0 ? ["all within the budgets"] : misses.map((miss) => `missed: ${miss}`)),
  ].join("\n");
}
