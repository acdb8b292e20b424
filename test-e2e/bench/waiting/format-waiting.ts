import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import { listUnjudged, type Delays, type WaitingBenchmark } from "./waiting.ts";
import { kubernetesVersion } from "../../cluster/kubernetes-version.ts";

function delayRow(name: string, { count, p50Ms, p99Ms, maxMs }: Delays): string[] {
  return [name, `${count}`, ...[p50Ms, p99Ms, maxMs].map((ms) => `${ms.toFixed(0)} ms`)];
}

/** The report of `npm run bench -- waiting`. */
export function formatWaiting(benchmark: WaitingBenchmark): string {
  const { type, items, secondsToWaiting, perItem, quiet, single, spread, peakRssMiB, misses } = benchmark;
  return [
    `${items} DeployItems of one ${type} deployer that wait for readiness on kube-apiserver ${kubernetesVersion}`,
    "",
    `all wait ${secondsToWaiting.toFixed(1)} s after the first was created; for each ${perItem.requests.toFixed(1)} requests of all clients and ` +
      `${perItem.cpuMs.toFixed(1)} ms of a processor for the deployer`,
    `while they wait: ${quiet.requestsPerSecond.toFixed(1)} requests of all clients a second to the API server, ` +
      `${quiet.cpuPercent.toFixed(1)} % of a processor for the deployer`,
    "",
    formatTable([
      ["from ready to the end of the job", "items", "p50", "p99", "longest"],
      delayRow("one after the other", single),
      delayRow(`${spread.perSecond} a second`, spread),
    ]),
    "",
    `peak RSS of the deployer: ${peakRssMiB.toFixed(0)} MiB`,
    "",
    ...formatVerdict(misses, listUnjudged(benchmark)),
  ].join("\n");
}
