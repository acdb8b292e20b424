import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { FaultPlan } from "../faults/fault.ts";
import { noFaults, strikeAtWrite } from "../faults/fault.ts";
import { faultJobs } from "../faults/fault-scenario.ts";
import { takeSnapshot } from "../faults/job-snapshot.ts";
import type { ProxiedEnvironment } from "../faults/proxied-environment.ts";
import { startProxiedEnvironment } from "../faults/proxied-environment.ts";
import { clustersUnderTest } from "../src/selected-clusters.ts";
import type { ServiceName } from "../src/service-process.ts";

const services = ["landscaper-core", "manifest-deployer"] as const;

/** More writes than any job of the scenario needs: a job that never gets done must not run for ever. */
const maxWrites = 120;

describe.each(clustersUnderTest())("after every API write of a job on %s", (cluster) => {
  let proxied: ProxiedEnvironment;
  const expected = new Map<string, string[]>();
  /** Restarts after kills; a failure to start belongs to the test in which it happened. */
  let restarted: Promise<void> = Promise.resolve();

  const planKill = (name: ServiceName, n: number): FaultPlan =>
    strikeAtWrite(n, true, async () => {
      const service = proxied.environment.service(name);
      await service.kill();
      restarted = service.start();
    });
  const planLoss = (n: number): FaultPlan => {
    return ({ write }) => (write === n ? { type: "lose-answer" } : { type: "pass" });
  };

  /** Runs every job once for each n until none of them has an nth write. */
  async function runForEveryWrite(name: ServiceName, planFor: (n: number) => FaultPlan): Promise<number> {
    const proxy = proxied.proxy(name);
    const pending = new Set(faultJobs.map((job) => job.name));
    let strikes = 0;
    for (let n = 1; pending.size > 0; n += 1) {
      expect({ pending: [...pending], n, endless: n > maxWrites }).toMatchObject({ endless: false });
      const scope = await proxied.environment.namespace("killed");
      for (const job of faultJobs) {
        if (pending.size === 0) break;
        proxy.setPlan(pending.has(job.name) ? planFor(n) : noFaults);
        await job.start(scope, proxied.sentinel);
        await job.finish(scope);
        await restarted;
        if (proxy.writes < n) pending.delete(job.name);
        else if (pending.has(job.name)) strikes += 1;
        const at = { job: job.name, n, write: proxy.writeLog[n - 1] };
        expect({ ...at, left: await takeSnapshot(scope) }).toEqual({ ...at, left: expected.get(job.name) });
        expect({ ...at, leaks: await proxied.findObjectLeaks(scope) }).toEqual({ ...at, leaks: [] });
      }
    }
    proxy.setPlan(noFaults);
    expect(await proxied.findServiceLeaks()).toEqual([]);
    return strikes;
  }

  beforeAll(async () => {
    proxied = await startProxiedEnvironment({ cluster, services });
    const scope = await proxied.environment.namespace("undisturbed");
    for (const job of faultJobs) {
      await job.start(scope, proxied.sentinel);
      await job.finish(scope);
      expected.set(job.name, await takeSnapshot(scope));
    }
  }, 180_000);
  afterAll(async () => proxied.stop());

  it("an undisturbed run leaves what the others are compared with", () => {
    expect(expected.get("create")).toContain("ConfigMap root-extra: undefined");
    const data = { token: proxied.sentinel.value, value: "second" };
    expect(expected.get("update")).toContain(`ConfigMap child: ${JSON.stringify(data)}`);
    expect(expected.get("delete")).toEqual([
      expect.stringMatching(/^DataObject settings owned by : /),
      expect.stringMatching(/^Secret sentinel: /),
      expect.stringMatching(/^Target cluster owned by : /),
    ]);
  });

  it.each(services)(
    "%s is killed, and the job ends as it would have",
    async (name) => {
      expect(await runForEveryWrite(name, (n) => planKill(name, n))).toBeGreaterThan(10);
    },
    900_000,
  );

  it.each(services)(
    "%s loses the answer, and the job ends as it would have",
    async (name) => {
      expect(await runForEveryWrite(name, planLoss)).toBeGreaterThan(10);
    },
    900_000,
  );
});
