// A job with nothing new costs the target next to nothing (issue 7: at most three requests).
import { expect, it } from "@jest/globals";
import { mapChart, useHelmBench } from "../test-helm-bench.ts";
import { rawChart } from "../testing.ts";

const bench = useHelmBench();

/** The deployer's requests to the target while `work` runs: "VERB RESOURCE". */
async function requestsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const requests: string[] = [];
  bench.fixture.target.setFault(({ verb, resource, userAgent }) => {
    if (userAgent.startsWith("helm")) requests.push(`${verb} ${resource}`);
    return undefined;
  });
  await work();
  bench.fixture.target.setFault(undefined);
  return requests;
}

const writes = /^(create|update|patch|delete) /;

it("a job without changes makes at most three requests, and writes nothing", async () => {
  const config = { chart: await rawChart(mapChart), values: { key: "one" } };
  const install = await requestsDuring(async () => bench.deploy(config));
  expect(install.filter((request) => writes.test(request)).length).toBeGreaterThanOrEqual(3);
  const again = await requestsDuring(async () => bench.redeploy(config));
  expect(again.filter((request) => writes.test(request))).toEqual([]);
  expect(again.length).toBeLessThanOrEqual(3);
  expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
  const change = await requestsDuring(async () => bench.redeploy({ ...config, values: { key: "two" } }));
  expect(change.filter((request) => writes.test(request))).toEqual([
    "create secrets",
    "patch configmaps",
    "update secrets",
    "update secrets",
  ]);
});
