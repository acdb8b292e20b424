import { formatTable } from "../format-table.ts";
import type { FleetBenchmark } from "./fleet.ts";

/** The report of `npm run bench -- fleet`. */
export function formatFleet({ registrations, measures, updateMsEach, peakRssMiB, misses }: FleetBenchmark): string {
  const rows = measures.map((one) => [
    `${one.environments}`,
    `${one.rolloutMsEach.toFixed(1)} ms`,
    `${one.rolloutCpuMsEach.toFixed(1)} ms`,
    one.heartbeatRequests.toFixed(2),
    `${one.heartbeatCpuMs.toFixed(2)} ms`,
  ]);
  const headings = ["Environments", "rollout, each", "CPU of the core", "requests for a heartbeat", "CPU of the core"];
  return [
    `Environments with ${registrations} deployers each on the embedded API server`,
    "",
    formatTable([headings, ...rows]),
    "",
    `the same Installations, changed by their users: ${updateMsEach.toFixed(1)} ms each`,
    `peak RSS of the core: ${peakRssMiB.toFixed(0)} MiB`,
    "",
    ...(misses.length === 0 ? ["all within the budgets"] : misses.map((miss) => `missed: ${miss}`)),
  ].join("\n");
}
