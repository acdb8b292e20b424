import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type FaultPlan, noFaults, strikeAtWrite } from "@landscaper/testkit";
import type { FaultSuite } from "../faults/fault-suite.ts";
import { faultScenarios, startFaultSuite } from "../faults/fault-suite.ts";
import { clustersUnderTest, isWholeRun } from "../src/clusters/selected-clusters.ts";
import type { ServiceName } from "../src/services/service-process.ts";
import { shareOfTurn, shareSteps, type Share } from "../src/runs/turns.ts";

/** More writes than any job of the scenario needs: a job that never gets done must not run for ever. */
const maxWrites = 120;

/**
 * In `npm test` a sixth of the writes, another sixth with each commit, and other ones for kills than for lost answers; the crash tests of the packages
 * have every write of a job each time.
 */
function shareOf(shift: number): Share {
  const turn = isWholeRun("faults-killed") ? undefined : process.env["E2E_TURN"];
  return shareOfTurn(turn, { step: shareSteps.killedWrites, shift });
}

const places = clustersUnderTest().flatMap((cluster) =>
  faultScenarios.map((scenario) => ({ cluster, scenario, name: scenario.name })),
);

describe.each(places)("after every API write of a job $name on $cluster", ({ cluster, scenario }) => {
  const { jobs, struck } = scenario;
  let suite: FaultSuite;
  /** Restarts after kills; a failure to start belongs to the test in which it happened. */
  let restarted: Promise<void> = Promise.resolve();

  const planKill = (name: ServiceName, n: number): FaultPlan =>
    strikeAtWrite(n, true, async () => {
      const service = suite.proxied.environment.service(name);
      await service.kill();
      restarted = service.start();
    });
  const planLoss = (n: number): FaultPlan => {
    return ({ write }) => (write === n ? { type: "lose-answer" } : { type: "pass" });
  };

  /** Runs every job once for each n of the share until none of them has an nth write; how often the fault struck. */
  async function runForEveryWrite(
    name: ServiceName,
    planFor: (n: number) => FaultPlan,
    { first, step }: Share,
  ): Promise<number> {
    const proxy = suite.proxied.proxy(name);
    const pending = new Set(jobs);
    let strikes = 0;
    for (let n = first; pending.size > 0; n += step) {
      expect({ pending: [...pending], n, endless: n > maxWrites }).toMatchObject({ endless: false });
      const scope = await suite.proxied.environment.namespace("killed");
      for (const job of jobs) {
        if (pending.size === 0) break;
        proxy.setPlan(pending.has(job) ? planFor(n) : noFaults);
        await suite.start(job, scope);
        await job.finish(scope);
        await restarted;
        if (proxy.writes < n) pending.delete(job);
        else if (pending.has(job)) strikes += 1;
        await suite.expectUsualEnd(job, scope, { n, write: proxy.writeLog[n - 1] });
      }
    }
    proxy.setPlan(noFaults);
    await suite.expectNoLeak();
    return strikes;
  }

  beforeAll(async () => {
    suite = await startFaultSuite(cluster, scenario);
  }, 180_000);
  afterAll(async () => suite.stop());

  it("an undisturbed run leaves what the others are compared with", () => {
    const leaves = scenario.leaves(suite.proxied.sentinel);
    for (const { name } of jobs) expect(suite.undisturbed(name)).toEqual(expect.arrayContaining([...leaves[name]]));
    expect(suite.undisturbed("delete").filter((line) => !line.startsWith("ran "))).toEqual([
      expect.stringMatching(/^DataObject settings owned by : /),
      expect.stringMatching(/^Secret sentinel: /),
      expect.stringMatching(/^Target cluster owned by : /),
    ]);
  });

  it.each(struck)(
    "%s is killed, and the job ends as it would have",
    async (name) => {
      const share = shareOf(0);
      expect(await runForEveryWrite(name, (n) => planKill(name, n), share)).toBeGreaterThan(10 / share.step);
    },
    1_200_000,
  );

  it.each(struck)(
    "%s loses the answer, and the job ends as it would have",
    async (name) => {
      const share = shareOf(1);
      expect(await runForEveryWrite(name, planLoss, share)).toBeGreaterThan(10 / share.step);
    },
    1_200_000,
  );
});
