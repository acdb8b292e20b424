import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import { listUnjudged, type Batch, type ScaleBenchmark } from "./scale.ts";
import { kubernetesVersion } from "../../cluster/kubernetes-version.ts";

/** Rows at most, spread over all batches. */
const shownBatches = 10;

function batchTable(batches: readonly Batch[]): string {
  const step = Math.max(1, Math.ceil(batches.length / shownBatches));
  const shown = batches.filter((_, index) => index % step === step - 1 || index === 0 || index === batches.length - 1);
  const services = Object.keys(batches[0]?.cpuEach ?? {});
  const rows = shown.map(({ total, millisecondsEach, cpuEach }) => [
    `${total}`,
    `${millisecondsEach.toFixed(1)} ms`,
    ...services.map((name) => `${(cpuEach[name] ?? 0).toFixed(1)} ms`),
  ]);
  return formatTable([["Installations", "time each", ...services.map((name) => `CPU ${name}`)], ...rows]);
}

/** The report of `npm run bench -- scale`. */
export function formatScale(benchmark: ScaleBenchmark): string {
  const { batches, restart, growth, misses } = benchmark;
  const rss = Object.entries(restart.peakRssMiB).map(([name, peak]) => `${name} ${peak.toFixed(0)} MiB`);
  return [
    `Installations of one namespace on kube-apiserver ${kubernetesVersion}, batches of 100`,
    "",
    batchTable(batches),
    "",
    `cost of the last batches to the first: ${growth.toFixed(2)}x`,
    `restart with ${restart.installations} Installations (${restart.objects} objects): first work after ` +
      `${restart.secondsToFirstWork.toFixed(1)} s, done after ${restart.secondsToFirstEnd.toFixed(1)} s; peak RSS ${rss.join(", ")}`,
    "",
    ...formatVerdict(misses, listUnjudged(benchmark)),
  ].join("\n");
}
