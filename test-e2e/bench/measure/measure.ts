import type { Environment } from "../../src/services/environment.ts";
import { percentile } from "./percentile.ts";
import { readProcessUsage } from "./process-usage.ts";
import { parsePrometheusText, subtractCounts, sumBy } from "./prometheus-text.ts";

export interface ServiceMeasure {
  readonly name: string;
  readonly cpuSeconds: number;
  readonly peakRssMiB: number;
  /** By verb and resource, e.g. "update executions/status". */
  readonly requests: Readonly<Record<string, number>>;
}

export interface PhaseMeasure {
  readonly phase: string;
  readonly seconds: number;
  readonly p50Seconds: number;
  readonly p99Seconds: number;
  readonly services: readonly ServiceMeasure[];
  /** Processes of the control plane; they have no request counts. */
  readonly controlPlane: readonly Omit<ServiceMeasure, "requests">[];
}

/** Requests of jobs: what Leases cost does not depend on them. */
const requestsMetric = "rest_client_requests_total";

async function countRequests(environment: Environment): Promise<Map<string, Record<string, number>>> {
  const counts = new Map<string, Record<string, number>>();
  for (const service of environment.services) {
    const samples = parsePrometheusText(await service.metrics()).filter(
      ({ labels }) => labels["resource"] !== "leases",
    );
    counts.set(service.name, sumBy(samples, requestsMetric, ["verb", "resource"]));
  }
  return counts;
}

function readUsages(environment: Environment): Map<number, ReturnType<typeof readProcessUsage>> {
  const children = [...environment.services.map(({ child }) => child), ...environment.hub.children];
  return new Map(children.map(({ pid }) => [pid, readProcessUsage(pid)]));
}

/** API requests of all services in one phase. */
export function requestsOf({ services }: PhaseMeasure): number {
  return services.flatMap(({ requests }) => Object.values(requests)).reduce((sum, each) => sum + each, 0);
}

/** Runs one phase: `work` resolves to the milliseconds that each Installation took. */
export async function measurePhase(
  environment: Environment,
  phase: string,
  work: () => Promise<readonly number[]>,
): Promise<PhaseMeasure> {
  const requestsBefore = await countRequests(environment);
  const usageBefore = readUsages(environment);
  const started = performance.now();
  const durations = await work();
  const seconds = (performance.now() - started) / 1000;
  const usageAfter = readUsages(environment);
  const requestsAfter = await countRequests(environment);
  const usageOf = (pid: number): { cpuSeconds: number; peakRssMiB: number } => ({
    cpuSeconds: (usageAfter.get(pid)?.cpuSeconds ?? 0) - (usageBefore.get(pid)?.cpuSeconds ?? 0),
    peakRssMiB: usageAfter.get(pid)?.peakRssMiB ?? 0,
  });
  return {
    phase,
    seconds,
    p50Seconds: percentile(durations, 0.5) / 1000,
    p99Seconds: percentile(durations, 0.99) / 1000,
    services: environment.services.map(({ name, child }) => ({
      name,
      ...usageOf(child.pid),
      requests: subtractCounts(requestsAfter.get(name) ?? {}, requestsBefore.get(name) ?? {}),
    })),
    controlPlane: environment.hub.children.map(({ name, pid }) => ({ name, ...usageOf(pid) })),
  };
}
