import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import {
  type FaultPlan,
  type SeenRequest,
  answerByChance,
  answerInTurn,
  createRandom,
  isJobWrite,
  noFaults,
} from "@landscaper/testkit";
import type { FaultSuite } from "../faults/fault-suite.ts";
import { faultScenarios, startFaultSuite } from "../faults/fault-suite.ts";
import { clustersUnderTest, isFullRun } from "../src/clusters/selected-clusters.ts";

/** The specification says 30 s; the regular run takes a tenth. */
const awayMs = isFullRun() ? 30_000 : 3_000;

const isWrite = ({ method, path }: SeenRequest): boolean => isJobWrite(method, path);
const isRead = ({ method, path }: SeenRequest): boolean => method === "GET" && !/[?&]watch=/.test(path);

const places = clustersUnderTest().flatMap((cluster) =>
  faultScenarios.map((scenario) => ({ cluster, scenario, name: scenario.name })),
);

describe.each(places)("a troubled API server $name on $cluster", ({ cluster, scenario }) => {
  const { jobs, struck } = scenario;
  let suite: FaultSuite;

  const forAllProxies = async (act: (proxy: ReturnType<FaultSuite["proxied"]["proxy"]>) => Promise<void>) =>
    Promise.all(struck.map(async (name) => act(suite.proxied.proxy(name))));

  /** Create, update and delete; `disturb` runs beside each of them and ends with the signal. */
  async function expectUsualEnds(disturb: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const scope = await suite.proxied.environment.namespace("troubled");
    for (const job of jobs) {
      const controller = new AbortController();
      const disturbance = disturb(controller.signal);
      await suite.start(job, scope);
      await job.finish(scope);
      controller.abort();
      await disturbance;
      await suite.expectUsualEnd(job, scope);
    }
    await suite.expectNoLeak();
  }

  beforeAll(async () => {
    suite = await startFaultSuite(cluster, scenario);
  }, 180_000);
  afterAll(async () => suite.stop());

  it.each([
    ["before a job", false],
    ["in the middle of a job", true],
  ])(
    "that goes away %s does not change how the job ends",
    async (_name, isInTheMiddle) => {
      const scope = await suite.proxied.environment.namespace("away");
      for (const job of jobs) {
        if (!isInTheMiddle) await forAllProxies(async (proxy) => proxy.goAway());
        await suite.start(job, scope);
        if (isInTheMiddle) {
          await scope.until(resources.installation, "root", (found) => found?.status?.phase !== "Succeeded");
          await forAllProxies(async (proxy) => proxy.goAway());
        }
        await sleep(awayMs);
        await forAllProxies(async (proxy) => proxy.comeBack());
        await job.finish(scope);
        await suite.expectUsualEnd(job, scope);
      }
      await suite.expectNoLeak();
    },
    600_000,
  );

  it("whose watches break all the time does not change how the job ends", async () => {
    await expectUsualEnds(async (signal) => {
      while (!signal.aborted) {
        for (const name of struck) suite.proxied.proxy(name).cutWatches();
        await sleep(200);
      }
    });
  }, 300_000);

  it.each([
    ["every third write with 409, 429 and 500", () => answerInTurn({ statuses: [409, 429, 500], matches: isWrite }, 3)],
    ["every third read with 429 and 500", () => answerInTurn({ statuses: [429, 500], matches: isRead }, 3)],
    ["one of five writes with 500", () => answerByChance({ statuses: [500], matches: isWrite }, 0.2, createRandom(1))],
    ["one of five writes with 409", () => answerByChance({ statuses: [409], matches: isWrite }, 0.2, createRandom(2))],
  ] satisfies readonly (readonly [string, () => FaultPlan])[])(
    "that answers %s does not change how the job ends",
    async (_name, createPlan) => {
      await forAllProxies(async (proxy) => proxy.setPlan(createPlan()));
      await expectUsualEnds(async () => undefined);
      await forAllProxies(async (proxy) => proxy.setPlan(noFaults));
    },
    300_000,
  );
});
