import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { allScenarios } from "../deployer-conformance/all-scenarios.ts";
import { loadProfile } from "../deployer-conformance/profile.ts";
import { formatResult } from "../deployer-conformance/report.ts";
import type { Result } from "../deployer-conformance/run.ts";
import { startRun } from "../deployer-conformance/run.ts";
import type { Defect } from "../deployer-conformance/sample/defects.ts";
import { defectNames, defects } from "../deployer-conformance/sample/defects.ts";
import type { SampleDeployers } from "../deployer-conformance/sample/run-sample-deployers.ts";
import { runSampleDeployers } from "../deployer-conformance/sample/run-sample-deployers.ts";
import { isWholeRun } from "../src/selected-clusters.ts";
import type { TestCluster } from "../src/test-cluster.ts";
import { startTestCluster } from "../src/test-cluster.ts";

// All scenarios for all defects take some minutes: `npm run e2e -- deployer-conformance-defects`.
const isWhole = isWholeRun("deployer-conformance-defects");
const profile = loadProfile(join(import.meta.dirname, "../deployer-conformance/profiles/sample.yaml"));
const typeOf = (defect: Defect | undefined): string =>
  `conformance.test/sample-${defect === undefined ? "sound" : defectNames.indexOf(defect)}`;
const all: readonly (Defect | undefined)[] = [undefined, ...defectNames];
/** Runs at a time: each has many scenarios at a time itself. */
const runsAtATime = isWhole ? 2 : 8;
/** What every defect is shown to leave alone when not all scenarios are played: pickup, jobs, failure, end, deletion. */
const basics = ["J1", "J7", "J10", "J15", "D2"];

async function judge(kubeconfig: string, defect: Defect | undefined): Promise<readonly Result[]> {
  const wanted: readonly string[] = defect === undefined ? [] : [...basics, ...defects[defect]];
  const scenarios = allScenarios.filter(({ id }) => isWhole || defect === undefined || wanted.includes(id));
  const run = startRun({ profile: { ...profile, type: typeOf(defect) }, kubeconfig, scenarios, parallel: 24 });
  const results = await Promise.all(run.results.map(async ({ result }) => result));
  await run.ended;
  return results;
}

const idsOf = (results: readonly Result[], outcome: Result["outcome"]): string[] =>
  results.filter((result) => result.outcome === outcome).map(({ id }) => id);

// The scenarios themselves run on both clusters, in deployer-conformance.test.ts; here it is about what they find.
describe("the deployer conformance kit, on the embedded API server,", () => {
  let cluster: TestCluster;
  let deployers: SampleDeployers;
  const judged = new Map<Defect | undefined, Promise<readonly Result[]>>();
  beforeAll(async () => {
    cluster = await startTestCluster("embedded");
    deployers = await runSampleDeployers(cluster.kubeconfig, new Map(all.map((defect) => [typeOf(defect), defect])));
    const lanes = Array.from({ length: runsAtATime }, () => Promise.resolve<unknown>(undefined));
    for (const [index, defect] of all.entries()) {
      const results = (lanes[index % runsAtATime] ?? Promise.resolve()).then(async () =>
        judge(cluster.kubeconfig, defect),
      );
      lanes[index % runsAtATime] = results;
      judged.set(defect, results);
    }
  }, 60_000);
  afterAll(async () => {
    await Promise.all(judged.values());
    await deployers.stop();
    await cluster.stop();
  });

  it("finds nothing in a deployer that has no defect", async () => {
    const results = (await judged.get(undefined)) ?? [];
    expect(results.filter(({ outcome }) => outcome === "failed").map(formatResult)).toEqual([]);
    expect(idsOf(results, "not judged")).toEqual(["X1"]);
  });

  it.each(defectNames)("finds a deployer that %s", async (defect) => {
    const results = (await judged.get(defect)) ?? [];
    const found = results.filter(({ outcome }) => outcome === "failed");
    const isAsExpected = idsOf(results, "failed").join() === defects[defect].join();
    expect(isAsExpected ? defects[defect] : found.map(formatResult)).toEqual(defects[defect]);
  });
});
