import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceProcess } from "../../src/services/service-process.ts";
import { readProcessUsage } from "../measure/process-usage.ts";
import { parsePrometheusText, sumBy } from "../measure/prometheus-text.ts";

const lookEveryMs = 1000;
/** Part of a processor that a service may use while it has nothing to do. */
const idleShare = 0.15;

async function countKeys(service: ServiceProcess): Promise<number> {
  const samples = parsePrometheusText(await service.metrics());
  const sums = ["workqueue_depth", "controller_runtime_active_workers"].map(
    (name) => sumBy(samples, name, [])[""] ?? 0,
  );
  return sums.reduce((sum, each) => sum + each, 0);
}

async function isQuiet(service: ServiceProcess): Promise<boolean> {
  try {
    const { pid } = service.child;
    const before = readProcessUsage(pid).cpuSeconds;
    await sleep(lookEveryMs);
    const used = readProcessUsage(pid).cpuSeconds - before;
    return used < (idleShare * lookEveryMs) / 1000 && (await countKeys(service)) === 0;
  } catch {
    return false;
  }
}

/** Waits until a service is idle. Restarts it if it is busy after `limitMs`, and resolves to true then. */
async function settleService(service: ServiceProcess, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) if (await isQuiet(service)) return false;
  await service.kill();
  await service.start();
  return true;
}

/** Waits until all services are idle. Restarts those that are busy after `limitMs`, and resolves to their names. */
export async function settle(services: readonly ServiceProcess[], limitMs: number): Promise<string[]> {
  if (limitMs === 0) return [];
  const restarted = await Promise.all(services.map(async (service) => settleService(service, limitMs)));
  return services.filter((_, index) => restarted[index]).map(({ name }) => name);
}
