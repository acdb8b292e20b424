import { formatTable } from "../format-table.ts";
import { formatVerdict } from "../measure/judge-figures.ts";
import { listUnjudged, type FleetBenchmark } from "./fleet.ts";
import { toRaw, type RawRollout, type RolloutComparison } from "./raw-rollout.ts";

function describeComparison(comparison: RolloutComparison): string {
  const { environments, productMsEach, contract, replay } = comparison;
  const rawRow = (what: string, raw: RawRollout): string[] => [
    what,
    `${raw.before.toFixed(1)}, ${raw.after.toFixed(1)} ms`,
    `${toRaw(comparison, raw).toFixed(2)}x`,
  ];
  return formatTable([
    [`rollout to ${environments} Environments`, "each", "ratio"],
    ["product", `${productMsEach.toFixed(1)} ms`, ""],
    rawRow("smallest list of requests, before and after", contract),
    rawRow("replay of all requests, before and after", replay),
  ]);
}

/** The report of `npm run bench -- fleet`. */
export function formatFleet(benchmark: FleetBenchmark): string {
  const { registrations, measures, updateMsEach, peakRssMiB, agents, comparison, misses } = benchmark;
  const rows = measures.map((one) => [
    `${one.environments}`,
    `${one.rolloutMsEach.toFixed(1)} ms`,
    `${one.rolloutCpuMsEach.toFixed(1)} ms`,
    one.heartbeatRequests.toFixed(2),
    `${one.heartbeatCpuMs.toFixed(2)} ms`,
  ]);
  const headings = ["Environments", "rollout, each", "CPU of the core", "requests for a heartbeat", "CPU of the core"];
  return [
    `Environments with ${registrations} deployers each; ${agents.agents} of the agents are processes`,
    "",
    formatTable([headings, ...rows]),
    "",
    `the same Installations, changed by their users: ${updateMsEach.toFixed(1)} ms each`,
    `peak RSS of the core: ${peakRssMiB.toFixed(0)} MiB`,
    `an agent: peak RSS ${agents.peakRssMiB.toFixed(0)} MiB, ${agents.cpuMsPerMinute.toFixed(0)} ms of processor time a minute`,
    ...(comparison === undefined ? [] : ["", describeComparison(comparison)]),
    "",
    ...formatVerdict(misses, listUnjudged(benchmark)),
  ].join("\n");
}
