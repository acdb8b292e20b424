import { expect } from "@jest/globals";
import type { ClusterName } from "../src/selected-clusters.ts";
import type { TestNamespace } from "../src/test-namespace.ts";
import type { FaultJob } from "./fault-scenario.ts";
import { faultJobs } from "./fault-scenario.ts";
import { takeSnapshot } from "./job-snapshot.ts";
import type { ProxiedEnvironment } from "./proxied-environment.ts";
import { startProxiedEnvironment } from "./proxied-environment.ts";

/** The services whose writes the fault scenario consists of. */
export const faultServices = ["landscaper-core", "manifest-deployer"] as const;

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

export async function startFaultSuite(cluster: ClusterName): Promise<FaultSuite> {
  const proxied = await startProxiedEnvironment({ cluster, services: faultServices });
  const usual = new Map<FaultJob["name"], string[]>();
  const scope = await proxied.environment.namespace("undisturbed");
  for (const job of faultJobs) {
    await job.start(scope, proxied.sentinel);
    await job.finish(scope);
    usual.set(job.name, await takeSnapshot(scope));
  }
  return {
    proxied,
    start: async (job, scope) => job.start(scope, proxied.sentinel),
    undisturbed: (job) => usual.get(job) ?? [],
    async expectUsualEnd(job, scope, at = {}) {
      const place = { ...at, job: job.name };
      const left = await takeSnapshot(scope);
      const leaks = await proxied.findObjectLeaks(scope);
      expect({ ...place, left, leaks }).toEqual({ ...place, left: usual.get(job.name), leaks: [] });
    },
    async expectNoLeak() {
      expect(await proxied.findServiceLeaks()).toEqual([]);
    },
    stop: async () => proxied.stop(),
  };
}
