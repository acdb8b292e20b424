import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import type { FaultPlan, SeenRequest } from "../faults/fault.ts";
import { answerByChance, answerInTurn, createRandom, isJobWrite, noFaults } from "../faults/fault.ts";
import { faultJobs } from "../faults/fault-scenario.ts";
import { takeSnapshot } from "../faults/job-snapshot.ts";
import type { ProxiedEnvironment } from "../faults/proxied-environment.ts";
import { startProxiedEnvironment } from "../faults/proxied-environment.ts";
import { clustersUnderTest, isFullRun } from "../src/selected-clusters.ts";
import type { TestNamespace } from "../src/test-namespace.ts";

const services = ["landscaper-core", "manifest-deployer"] as const;

/** The specification says 30 s; the regular run takes a fifth. */
const awayMs = isFullRun() ? 30_000 : 6_000;

const isWrite = ({ method, path }: SeenRequest): boolean => isJobWrite(method, path);
const isRead = ({ method, path }: SeenRequest): boolean => method === "GET" && !/[?&]watch=/.test(path);

describe.each(clustersUnderTest())("a troubled API server on %s", (cluster) => {
  let proxied: ProxiedEnvironment;
  const expected = new Map<string, string[]>();

  function setPlans(createPlan: () => FaultPlan): void {
    for (const name of services) proxied.proxy(name).setPlan(createPlan());
  }

  /** Create, update and delete; `disturb` runs beside each of them and ends with the signal. */
  async function expectUsualEnds(disturb: (signal: AbortSignal, scope: TestNamespace) => Promise<void>): Promise<void> {
    const scope = await proxied.environment.namespace("troubled");
    for (const job of faultJobs) {
      const controller = new AbortController();
      const disturbance = disturb(controller.signal, scope);
      await job.start(scope, proxied.sentinel);
      await job.finish(scope);
      controller.abort();
      await disturbance;
      expect({ job: job.name, left: await takeSnapshot(scope) }).toEqual({
        job: job.name,
        left: expected.get(job.name),
      });
      expect(await proxied.findObjectLeaks(scope)).toEqual([]);
    }
    expect(await proxied.findServiceLeaks()).toEqual([]);
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

  it.each([
    ["a fresh start", undefined],
    ["the middle of a job", "Progressing"],
  ])(
    "that is away from %s does not change how the job ends",
    async (_name, phase) => {
      const scope = await proxied.environment.namespace("away");
      for (const job of faultJobs) {
        if (phase === undefined) await Promise.all(services.map(async (name) => proxied.proxy(name).goAway()));
        await job.start(scope, proxied.sentinel);
        if (phase !== undefined) {
          const isMoving = (found?: { status?: { phase?: string } }): boolean =>
            found === undefined || found.status?.phase !== "Succeeded";
          await scope.waitFor(resources.installation, "root", isMoving);
          await Promise.all(services.map(async (name) => proxied.proxy(name).goAway()));
        }
        await sleep(awayMs);
        await Promise.all(services.map(async (name) => proxied.proxy(name).comeBack()));
        await job.finish(scope);
        expect({ job: job.name, left: await takeSnapshot(scope) }).toEqual({
          job: job.name,
          left: expected.get(job.name),
        });
        expect(await proxied.findObjectLeaks(scope)).toEqual([]);
      }
      expect(await proxied.findServiceLeaks()).toEqual([]);
    },
    600_000,
  );

  it("whose watches break all the time does not change how the job ends", async () => {
    await expectUsualEnds(async (signal) => {
      while (!signal.aborted) {
        for (const name of services) proxied.proxy(name).cutWatches();
        await sleep(200);
      }
    });
  }, 300_000);

  it.each([
    ["every third write with 409, 429 and 500", () => answerInTurn({ statuses: [409, 429, 500], matches: isWrite }, 3)],
    ["every third read with 429 and 500", () => answerInTurn({ statuses: [429, 500], matches: isRead }, 3)],
    ["one of five writes with 500", () => answerByChance({ statuses: [500], matches: isWrite }, 0.2, createRandom(1))],
    ["one of five writes with 409", () => answerByChance({ statuses: [409], matches: isWrite }, 0.2, createRandom(2))],
  ])(
    "that answers %s does not change how the job ends",
    async (_name, createPlan) => {
      setPlans(createPlan);
      await expectUsualEnds(async () => undefined);
      setPlans(() => noFaults);
    },
    300_000,
  );
});
