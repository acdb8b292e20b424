// A job with nothing new costs the target next to nothing (issue 7: at most three requests).
import { recordRequests } from "@landscaper/testkit";
import { expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { mapChart, useHelmBench } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

const bench = useHelmBench();

/** The deployer's requests to the target while `work` runs: "VERB RESOURCE". */
async function requestsDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  const record = recordRequests(bench.fixture.target, ({ userAgent }) => userAgent.startsWith("helm"));
  await work();
  record.stop();
  return record.lines;
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

it("a job without changes of a chart with 50 objects writes nothing and asks no more than for one object", async () => {
  const objects = Array.from({ length: 50 }, (_, at) => [
    `templates/map-${at}.yaml`,
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: map-${at} }\ndata: { key: {{ .Values.key | quote }} }\n`,
  ]);
  const config = {
    chart: await rawChart(Object.fromEntries(objects) as Record<string, string>),
    values: { key: "one" },
  };
  const install = await requestsDuring(async () => bench.deploy(config));
  expect(install.filter((request) => request === "create configmaps")).toHaveLength(50);
  const versions = await versionsOfMaps();
  expect(Object.keys(versions)).toHaveLength(50);

  const again = await requestsDuring(async () => bench.redeploy(config));
  expect(again.filter((request) => writes.test(request))).toEqual([]);
  expect(again.length).toBeLessThanOrEqual(3);
  expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
  expect(await versionsOfMaps()).toEqual(versions);
});

/** resourceVersion of each ConfigMap of the chart. */
async function versionsOfMaps(): Promise<Record<string, string | undefined>> {
  const { items } = await bench.fixture.targetClient.list(kubeResources.configMap, { namespace: bench.namespace });
  const own = items.filter(({ metadata }) => metadata.name?.startsWith("map-") === true);
  return Object.fromEntries(own.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
}
