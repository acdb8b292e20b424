// Acceptance scenarios of deployers.md §5 on two embedded clusters, with the test as Landscaper.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type ConfigMap, type KubeObject, type ResourceType } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture, type DeployerScope } from "@landscaper/deployer/testing";
import { createHelmDeployer, type HelmDeployer } from "./index.ts";
import { helmSpec, rawChart, type ChartFiles } from "./testing.ts";

let fixture: DeployerFixture;
let deployer: HelmDeployer;
let scope: DeployerScope;
let n = "";
let scopes = 0;

beforeAll(async () => {
  fixture = await createDeployerFixture();
  deployer = createHelmDeployer({ version: "v0.0.0-test" });
  fixture.start({ deployer });
}, 60_000);
afterAll(async () => {
  await fixture.stop();
  await deployer.close();
});

beforeEach(async () => {
  scope = await fixture.scope(`helm-${++scopes}`);
  n = scope.namespace;
  await scope.createTarget();
});
afterEach(() => {
  fixture.hub.setFault(undefined);
  fixture.target.setFault(undefined);
});

const configMapTemplate = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-map
data:
  key: {{ .Values.key | quote }}
  upgrade: {{ .Release.IsUpgrade | quote }}
  revision: {{ .Release.Revision | quote }}
`;
const mapChart: ChartFiles = { "values.yaml": "key: value\n", "templates/map.yaml": configMapTemplate };

async function find<T extends KubeObject = ConfigMap>(
  name: string,
  type: ResourceType<T> = kubeResources.configMap as unknown as ResourceType<T>,
): Promise<T | undefined> {
  return await fixture.targetClient.find(type, { namespace: n, name });
}

async function data(name = "app-map"): Promise<ConfigMap["data"]> {
  return (await find(name))?.data;
}

async function revisions(): Promise<string[]> {
  const { items } = await fixture.targetClient.list(kubeResources.secret, {
    namespace: n,
    labelSelector: "owner=helm",
  });
  return items.map(({ metadata }) => `${metadata.name} ${metadata.labels?.["status"]}`).toSorted();
}

async function exportsOf(item: string): Promise<unknown> {
  const secret = await fixture.hubClient.find(kubeResources.secret, { namespace: n, name: `${item}-export` });
  const config = secret?.data?.["config"];
  return config === undefined ? undefined : JSON.parse(Buffer.from(config, "base64").toString());
}

async function deploy(config: Readonly<Record<string, unknown>>, timeout = "20s") {
  await scope.create({ name: "item", spec: { ...helmSpec(n, config), timeout } });
  return await scope.waitForEnd("item");
}

async function redeploy(config: Readonly<Record<string, unknown>>) {
  const spec = helmSpec(n, config);
  await scope.trigger("item", spec);
  return await scope.waitForEnd("item");
}

async function remove(): Promise<void> {
  await scope.remove("item");
  await scope.waitUntilGone("item");
}

describe("a helm item", () => {
  it("makes a release, upgrades it and takes it away (A2, A3)", async () => {
    const done = await deploy({ chart: await rawChart(mapChart) });
    expect(done.status).toMatchObject({
      phase: "Succeeded",
      providerStatus: {
        apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
        kind: "ProviderStatus",
        managedResources: [],
        mode: "release",
        release: { name: "app", namespace: n, revision: 1 },
        chart: { name: "app", version: "1.0.0", from: "chart.archive.raw" },
      },
    });
    expect(await data()).toEqual({ key: "value", upgrade: "false", revision: "1" });
    await redeploy({ chart: await rawChart(mapChart), values: { key: "value_updated" } });
    expect(await data()).toEqual({ key: "value_updated", upgrade: "true", revision: "2" });
    expect(await revisions()).toEqual(["sh.helm.release.v1.app.v1 superseded", "sh.helm.release.v1.app.v2 deployed"]);
    await remove();
    expect([await data(), await revisions()]).toEqual([undefined, []]);
  });

  it("without a release applies what the chart makes (A2, A3)", async () => {
    const chart = await rawChart(mapChart);
    const done = await deploy({ chart, helmDeployment: false });
    expect(done.status?.phase).toBe("Succeeded");
    expect((await find("app-map"))?.metadata.labels).toEqual({
      "manifest.deployer.landscaper.gardener.cloud/deployitem": "item",
      "helm.deployer.landscaper.gardener.cloud/deployitem": "item",
    });
    expect(await data()).toEqual({ key: "value", upgrade: "false", revision: "1" });
    await redeploy({ chart, helmDeployment: false, values: { key: "value_updated" } });
    expect(await data()).toMatchObject({ key: "value_updated", upgrade: "true" });
    expect(await revisions()).toEqual([]);
    await remove();
    expect(await data()).toBeUndefined();
  });

  it.each([true, false])("exports from objects and values, helmDeployment %s (A4)", async (helmDeployment) => {
    const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "app-map", namespace: n };
    const exports = [
      { key: "exportKey", jsonPath: "data.key", fromResource },
      { key: "of.values", jsonPath: ".Values.key" },
      { key: "of.chart", jsonPath: ".Chart.Name" },
      { key: "of.release", jsonPath: ".Release.Namespace" },
    ];
    const done = await deploy({ chart: await rawChart(mapChart), helmDeployment, exports: { exports } });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect(await exportsOf("item")).toEqual({ exportKey: "value", of: { values: "value", chart: "app", release: n } });
  });

  it("makes no new revision when nothing has changed, with one request to the target", async () => {
    const chart = await rawChart(mapChart);
    await deploy({ chart });
    const requests: string[] = [];
    fixture.target.setFault(({ verb, resource, userAgent }) => {
      if (userAgent.startsWith("helm.")) requests.push(`${verb} ${resource}`);
      return undefined;
    });
    await scope.trigger("item");
    const done = await scope.waitForEnd("item");
    expect([done.status?.phase, await revisions()]).toEqual(["Succeeded", ["sh.helm.release.v1.app.v1 deployed"]]);
    expect(requests).toEqual(["list secrets"]);
  });
});
