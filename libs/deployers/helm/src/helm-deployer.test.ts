// Acceptance scenarios of deployers.md §5 on two embedded clusters, with the test as Landscaper.
import { recordRequests } from "@landscaper/testkit";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { mapChart, useHelmBench } from "../test/helm-bench.ts";
import { rawChart } from "../test/index.ts";

const bench = useHelmBench();

describe("a helm item", () => {
  it("makes a release, upgrades it and takes it away (A2, A3)", async () => {
    const done = await bench.deploy({ chart: await rawChart(mapChart) });
    expect(done.status).toMatchObject({
      phase: "Succeeded",
      providerStatus: {
        apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
        kind: "ProviderStatus",
        managedResources: [],
        mode: "release",
        release: { name: "app", namespace: bench.namespace, revision: 1 },
        chart: { name: "app", version: "1.0.0", from: "chart.archive.raw" },
      },
    });
    expect(await bench.data()).toEqual({ key: "value", upgrade: "false", revision: "1" });
    await bench.redeploy({ chart: await rawChart(mapChart), values: { key: "value_updated" } });
    expect(await bench.data()).toEqual({ key: "value_updated", upgrade: "true", revision: "2" });
    expect(await bench.revisions()).toEqual(["app.v1 superseded", "app.v2 deployed"]);
    await bench.remove();
    expect([await bench.data(), await bench.revisions()]).toEqual([undefined, []]);
  });

  it("without a release applies what the chart makes (A2, A3)", async () => {
    const chart = await rawChart(mapChart);
    const done = await bench.deploy({ chart, helmDeployment: false });
    expect(done.status?.phase).toBe("Succeeded");
    expect((await bench.find(kubeResources.configMap, "app-map"))?.metadata.labels).toEqual({
      "manifest.deployer.landscaper.gardener.cloud/deployitem": "item",
      "helm.deployer.landscaper.gardener.cloud/deployitem": "item",
    });
    expect(await bench.data()).toEqual({ key: "value", upgrade: "false", revision: "1" });
    await bench.redeploy({ chart, helmDeployment: false, values: { key: "value_updated" } });
    expect(await bench.data()).toMatchObject({ key: "value_updated", upgrade: "true" });
    expect(await bench.revisions()).toEqual([]);
    await bench.remove();
    expect(await bench.data()).toBeUndefined();
  });

  it.each([true, false])("takes exports back that there are none of any more, helmDeployment %s", async (isRelease) => {
    const chart = await rawChart(mapChart);
    const exports = { exports: [{ key: "key", jsonPath: ".Values.key" }] };
    const first = await bench.deploy({ chart, helmDeployment: isRelease, exports });
    expect(first.status?.exportRef).toMatchObject({ name: "item-export" });
    const second = await bench.redeploy({ chart, helmDeployment: isRelease });
    const secret = await bench.fixture.hubClient.find(kubeResources.secret, {
      namespace: bench.namespace,
      name: "item-export",
    });
    expect([second.status?.phase, second.status?.exportRef, secret]).toEqual(["Succeeded", undefined, undefined]);
  });

  it.each([true, false])("exports from objects and values, helmDeployment %s (A4)", async (helmDeployment) => {
    const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "app-map", namespace: bench.namespace };
    const exports = [
      { key: "exportKey", jsonPath: "data.key", fromResource },
      { key: "of.values", jsonPath: ".Values.key" },
      { key: "of.chart", jsonPath: ".Chart.Name" },
      { key: "of.release", jsonPath: ".Release.Namespace" },
    ];
    const done = await bench.deploy({ chart: await rawChart(mapChart), helmDeployment, exports: { exports } });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect(await bench.exports()).toEqual({
      exportKey: "value",
      of: { values: "value", chart: "app", release: bench.namespace },
    });
  });

  it("makes no new revision when nothing has changed, with one request for its records and one for each kind of its objects", async () => {
    const chart = await rawChart(mapChart);
    await bench.deploy({ chart });
    const record = recordRequests(bench.fixture.target, ({ userAgent }) => userAgent.startsWith("helm."));
    await bench.scope.trigger("item");
    const done = await bench.scope.waitForEnd("item");
    expect([done.status?.phase, await bench.revisions()]).toEqual(["Succeeded", ["app.v1 deployed"]]);
    expect(record.lines).toEqual(["list secrets", "get configmaps"]);
  });

  it.each([
    ["value", "Succeeded"],
    ["value_WRONG", "Failed"],
  ])("is ready by a check of its own: data.key == %s: %s (A5)", async (value, phase) => {
    const selected = { apiVersion: "v1", kind: "ConfigMap", name: "app-map", namespace: bench.namespace };
    const requirements = [{ jsonPath: ".data.key", operator: "==", values: [{ value }] }];
    const custom = [{ name: "key", resourceSelector: [selected], requirements }];
    const readinessChecks = { disableDefault: true, custom };
    await bench.create({ chart: await rawChart(mapChart), readinessChecks });
    if (phase === "Failed") await bench.waitForWords("readiness of check key");
    const done = phase === "Failed" ? await bench.timeOut() : await bench.scope.waitForEnd("item");
    expect(done.status?.phase).toBe(phase);
    if (phase === "Failed") expect(done.status?.lastError?.message).toContain("readiness of check key: ConfigMap");
  });

  it("goes on where a release is pending (A16)", async () => {
    const chart = await rawChart(mapChart);
    await bench.deploy({ chart });
    const name = "sh.helm.release.v1.app.v1";
    const key = { namespace: bench.namespace, name };
    const secret = await bench.fixture.targetClient.get(kubeResources.secret, key);
    const record = JSON.parse(
      gunzipSync(Buffer.from(Buffer.from(secret.data?.["release"] ?? "", "base64").toString(), "base64")).toString(),
    ) as { info: object };
    const pending = { ...record, info: { ...record.info, status: "pending-install" } };
    const release = Buffer.from(gzipSync(JSON.stringify(pending)).toString("base64")).toString("base64");
    const labels = { ...secret.metadata.labels, status: "pending-install" };
    await bench.fixture.targetClient.update(kubeResources.secret, {
      ...secret,
      metadata: { ...secret.metadata, labels },
      data: { release },
    });
    const done = await bench.redeploy({ chart, values: { key: "next" } });
    expect([done.status?.phase, await bench.revisions()]).toEqual([
      "Succeeded",
      ["app.v1 superseded", "app.v2 deployed"],
    ]);
  });

  const schema = JSON.stringify({ properties: { key: { type: "string" } } });
  const strict = { ...mapChart, "values.schema.json": schema };
  it.each([true, false])("checks values by the chart's schema, helmDeployment %s (A17)", async (helmDeployment) => {
    const chart = await rawChart(strict);
    const refused = await bench.deploy({ chart, helmDeployment, values: { key: 1 } });
    expect(refused.status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "InvalidChart", message: expect.stringContaining("key") },
    });
    const install = { skipSchemaValidation: true };
    const skipping = await bench.redeploy({
      chart,
      helmDeployment,
      values: { key: 1 },
      helmDeploymentConfig: { install },
    });
    expect([skipping.status?.phase, (await bench.data())?.["key"]]).toEqual(["Succeeded", "1"]);
    const fitting = await bench.redeploy({ chart, helmDeployment, values: { key: "text" } });
    expect([fitting.status?.phase, (await bench.data())?.["key"]]).toEqual(["Succeeded", "text"]);
  });

  it.each([true, false])("leaves disabled dependencies out, helmDeployment %s (A17)", async (helmDeployment) => {
    const sub =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: sub }\ndata: { kube: {{ .Capabilities.KubeVersion.Version }} }\n";
    const chart = await rawChart({
      ...mapChart,
      "Chart.yaml":
        "apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies: [{ name: sub, version: 1.0.0, condition: sub.enabled }]\n",
      "charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
      "charts/sub/templates/map.yaml": sub,
    });
    await bench.deploy({ chart, helmDeployment, values: { sub: { enabled: false } } });
    expect([await bench.data("sub"), (await bench.data())?.["key"]]).toEqual([undefined, "value"]);
    await bench.redeploy({ chart, helmDeployment, values: { sub: { enabled: true } } });
    const { gitVersion } = (await bench.fixture.targetClient.request({ method: "GET", path: "/version" })) as {
      gitVersion: string;
    };
    expect(await bench.data("sub")).toEqual({ kube: gitVersion });
  });

  it("replaces an object of the chart's former version by another (A18)", async () => {
    await bench.deploy({ chart: await rawChart(mapChart) });
    const secret = "apiVersion: v1\nkind: Secret\nmetadata: { name: app-secret }\nstringData: { key: value }\n";
    await bench.redeploy({ chart: await rawChart({ "templates/secret.yaml": secret }, { version: "1.0.1" }) });
    expect(await bench.data()).toBeUndefined();
    expect(await bench.find(kubeResources.secret, "app-secret")).toBeDefined();
  });

  it("looks objects of the target up", async () => {
    const metadata = { name: "there", namespace: bench.namespace };
    const there = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { found: "yes" } };
    await bench.fixture.targetClient.create(kubeResources.configMap, there);
    const template = `apiVersion: v1
kind: ConfigMap
metadata: { name: looked }
data:
  one: {{ (lookup "v1" "ConfigMap" .Release.Namespace "there").data.found | quote }}
  none: {{ lookup "v1" "ConfigMap" .Release.Namespace "absent" | toJson | quote }}
  all: {{ range (lookup "v1" "ConfigMap" .Release.Namespace "").items }}{{ .metadata.name }}{{ end }}
`;
    const done = await bench.deploy({ chart: await rawChart({ "templates/map.yaml": template }) });
    expect(done.status?.lastError?.message).toBeUndefined();
    expect(await bench.data("looked")).toEqual({ one: "yes", none: "{}", all: "kube-root-ca.crtthere" });
  });

  it("re-creates a removed object that the job waits for, without a new revision", async () => {
    const chart = await rawChart(mapChart);
    const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "app-map", namespace: bench.namespace };
    const exports = { exports: [{ key: "exportKey", jsonPath: "data.key", fromResource }] };
    await bench.deploy({ chart, exports });
    await bench.fixture.targetClient.delete(kubeResources.configMap, { namespace: bench.namespace, name: "app-map" });
    await bench.scope.trigger("item");
    const done = await bench.scope.waitForEnd("item");
    expect([done.status?.phase, (await bench.data())?.["key"]]).toEqual(["Succeeded", "value"]);
    expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
  });
});
