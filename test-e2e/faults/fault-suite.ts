import { expect } from "@jest/globals";
import type { ClusterName } from "../src/selected-clusters.ts";
import { createSentinel } from "../src/sentinel.ts";
import type { TestNamespace } from "../src/test-namespace.ts";
import type { NatsTap } from "../src/visible-texts.ts";
import { collectObjectTexts, collectProcessTexts, findLeaks, tapNats } from "../src/visible-texts.ts";
import type { FaultJob } from "./fault-scenario.ts";
import { createFaultJobs } from "./fault-scenario.ts";
import { takeSnapshot } from "./job-snapshot.ts";
import type { ProxiedEnvironment } from "./proxied-environment.ts";
import { startProxiedEnvironment } from "./proxied-environment.ts";

/** The services whose writes the fault scenario consists of. */
export const faultServices = ["landscaper-core", "manifest-deployer"] as const;

/** What the fault suites share: proxied services, the jobs with a secret value in them, and how each job ends undisturbed. */
export interface FaultSuite {
  readonly proxied: ProxiedEnvironment;
  readonly jobs: readonly FaultJob[];
  /** The snapshot after the undisturbed job. */
  undisturbed(job: FaultJob): readonly string[];
  /** The job ended as it would have, each object exists once, and nothing shows the secret; `at` says where we are. */
  expectUsualEnd(scope: TestNamespace, job: FaultJob, at?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Logs, metrics and NATS of all jobs so far show nothing of the secret. */
  expectNoLeak(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFaultSuite(cluster: ClusterName): Promise<FaultSuite> {
  const { value, findIn } = createSentinel();
  const jobs = createFaultJobs(value);
  const proxied = await startProxiedEnvironment({ cluster, services: faultServices, nats: true });
  const { nats } = proxied.environment;
  const tap: NatsTap | undefined = nats === undefined ? undefined : await tapNats(nats.url);
  const usual = new Map<FaultJob, string[]>();
  const scope = await proxied.environment.namespace("undisturbed");
  for (const job of jobs) {
    await job.start(scope);
    await job.finish(scope);
    usual.set(job, await takeSnapshot(scope));
  }

  return {
    proxied,
    jobs,
    undisturbed: (job) => usual.get(job) ?? [],
    async expectUsualEnd(scope, job, at = {}) {
      const left = await takeSnapshot(scope);
      const leaks = findLeaks(await collectObjectTexts(scope), findIn);
      const place = { ...at, job: job.name };
      expect({ ...place, left, leaks }).toEqual({ ...place, left: usual.get(job), leaks: [] });
    },
    async expectNoLeak() {
      const texts = [...(await collectProcessTexts(proxied.environment)), ...(tap?.texts ?? [])];
      expect(findLeaks(texts, findIn)).toEqual([]);
    },
    async stop() {
      await tap?.stop();
      await proxied.stop();
    },
  };
}
