import { expect } from "@jest/globals";
import type { ClusterName } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { containerScenario } from "./container-scenario.ts";
import { manifestScenario, type FaultJob, type FaultScenario } from "./fault-scenario.ts";
import { takeSnapshot } from "./job-snapshot.ts";
import type { ProxiedEnvironment } from "./proxied-environment.ts";
import { startProxiedEnvironment } from "./proxied-environment.ts";

export const faultScenarios: readonly FaultScenario[] = [manifestScenario, containerScenario];

/** What the fault suites share: services behind proxies, the jobs, and how each of them ends undisturbed. */
export interface FaultSuite {
  readonly proxied: ProxiedEnvironment;
  start(job: FaultJob, scope: TestNamespace): Promise<void>;
  /** The snapshot after the undisturbed job. */
  undisturbed(job: FaultJob["name"]): readonly string[];
  /** The job ended as it would have, each object exists once, and nothing shows the secret; `at` says where we are. */
  expectUsualEnd(job: FaultJob, scope: TestNamespace, at?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Logs, metrics and NATS of all jobs so far show nothing of the secret. */
  expectNoLeak(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFaultSuite(cluster: ClusterName, scenario: FaultScenario): Promise<FaultSuite> {
  const { services, configs, jobs } = scenario;
  const proxied = await startProxiedEnvironment({ cluster, services, ...(configs && { configs }) });
  const surroundings = scenario.open?.(proxied.environment);
  const snapshotOf = async (scope: TestNamespace): Promise<string[]> =>
    takeSnapshot(scope, (await surroundings?.describe(scope)) ?? []);
  const usual = new Map<FaultJob["name"], string[]>();
  const stop = async (): Promise<void> => {
    await surroundings?.stop();
    await proxied.stop();
  };
  try {
    const scope = await proxied.environment.namespace("undisturbed");
    for (const job of jobs) {
      await job.start(scope, proxied.sentinel);
      await job.finish(scope);
      usual.set(job.name, await snapshotOf(scope));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    proxied,
    start: async (job, scope) => job.start(scope, proxied.sentinel),
    undisturbed: (job) => usual.get(job) ?? [],
    async expectUsualEnd(job, scope, at = {}) {
      const place = { ...at, job: job.name };
      const left = await snapshotOf(scope);
      const leaks = await proxied.findObjectLeaks(scope);
      expect({ ...place, left, leaks }).toEqual({ ...place, left: usual.get(job.name), leaks: [] });
    },
    async expectNoLeak() {
      expect(await proxied.findServiceLeaks()).toEqual([]);
    },
    stop,
  };
}
