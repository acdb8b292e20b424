import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import {
  packChart,
  rawChart,
  startChartServer,
  type ChartFiles,
  type ChartServer,
} from "@landscaper/helm-deployer-lib/testing";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { itemsInstallation } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const guide = readGuideExamples("helm.md");

it("the guide to charts has no example that nobody runs", () => {
  const names = [
    "item",
    "context",
    "repository",
    "values-from",
    "post-render",
    "release",
    "server-side-apply",
    "helm-version",
    "labels",
    "drift",
    "remediation",
    "wait-strategy",
    "readiness",
    "exports",
    "manifests",
    "rollback",
  ];
  expect(guide.names).toEqual(names);
});

const chart: ChartFiles = {
  "values.yaml": "key: value\n",
  "templates/map.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Release.Name }}-map" }
data:
  key: {{ .Values.key | quote }}
  {{- if .Values.region }}
  values: {{ .Values | toJson | quote }}
  {{- end }}
`,
  "templates/hook.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: hook, annotations: { helm.sh/hook: pre-install } }
`,
};

describe.each(clustersUnderTest())("the examples of charts on %s", (cluster) => {
  let environment: Environment;
  let server: ChartServer;
  let raw = "";

  beforeAll(async () => {
    const archive = await packChart(chart);
    raw = archive.toString("base64");
    server = await startChartServer(archive, { basic: "me:hunter2" });
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "helm-deployer"] });
  });
  afterAll(async () => {
    await environment.stop();
    await server.stop();
  });

  async function open(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    const encode = (text: string): string => Buffer.from(text).toString("base64");
    const header = `Basic ${encode("me:hunter2")}`;
    const auths = JSON.stringify({ auths: { [server.host]: { auth: encode("me:hunter2") } } });
    const repository = `http://${server.host}/repo`;
    await scope.apply(
      scope.target("cluster"),
      { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, data: { ".dockerconfigjson": encode(auths) } },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "repository" }, data: { authHeader: encode(header) } },
      ...guide.load("context", { repository }),
    );
    return scope;
  }

  function configOf(scope: TestNamespace, example: string): Readonly<Record<string, unknown>> {
    const values = {
      namespace: scope.targetNamespace,
      registry: `http://${server.host}`,
      repository: `http://${server.host}/repo`,
      chart: raw,
    };
    return guide.loadPart(example, values);
  }

  async function succeed(scope: TestNamespace, example: string): Promise<DeployItem | undefined> {
    return await deploy(scope, configOf(scope, example), "Succeeded");
  }

  async function deploy(
    scope: TestNamespace,
    config: Readonly<Record<string, unknown>>,
    phase: "Succeeded" | "Failed",
  ): Promise<DeployItem | undefined> {
    const item = { name: "item", type: "landscaper.gardener.cloud/helm", target: { import: "cluster" }, config };
    await scope.apply(itemsInstallation([item], { name: "guided", target: "cluster" }));
    await scope.waitForPhase("guided", phase);
    return (await scope.deployItems("guided")).get("item");
  }

  async function isThere(scope: TestNamespace, name: string): Promise<boolean> {
    return (await scope.findOnTarget(kubeResources.configMap, name)) !== undefined;
  }

  it("an item, from a registry that wants credentials", async () => {
    const scope = await open("item");
    await succeed(scope, "item");
    expect((await scope.findOnTarget(kubeResources.configMap, "web-map"))?.data).toEqual({ key: "hello" });
  });

  it.each(["repository", "release", "server-side-apply", "drift", "wait-strategy", "readiness"])(
    "%s",
    async (example) => {
      const scope = await open(example);
      const item = await succeed(scope, example);
      expect([await isThere(scope, "web-map"), await isThere(scope, "hook")]).toEqual([true, true]);
      expect(item?.status?.providerStatus).toMatchObject({ chart: { version: "1.0.0" }, release: { revision: 1 } });
    },
  );

  it("helm-version", async () => {
    const scope = await open("helm-version");
    await succeed(scope, "helm-version");
    const record = await scope.findOnTarget(kubeResources.secret, "sh.helm.release.v1.web.v1");
    expect(record?.metadata.annotations).toMatchObject({ "helm.deployer.landscaper.gardener.cloud/helm-version": "4" });
  });

  it("labels", async () => {
    const scope = await open("labels");
    await succeed(scope, "labels");
    const record = await scope.findOnTarget(kubeResources.secret, "sh.helm.release.v1.web.v1");
    expect(record?.metadata.labels).toMatchObject({ team: "shop", status: "deployed" });
    expect(record?.metadata.labels).not.toHaveProperty("stage");
  });

  it("remediation", async () => {
    const scope = await open("remediation");
    await succeed(scope, "remediation");
    const refused = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: UPPER }\n";
    const broken = await rawChart({ ...chart, "templates/refused.yaml": refused });
    const item = await deploy(scope, { ...configOf(scope, "remediation"), chart: broken }, "Failed");
    expect(item?.status?.lastError?.message).toMatch(
      /UPPER.*; after 2 failed attempts the release was rolled back to revision 1$/s,
    );
  });

  it("rollback", async () => {
    const scope = await open("rollback");
    await succeed(scope, "release");
    const item = await deploy(scope, { ...configOf(scope, "release"), values: { key: "next" } }, "Succeeded");
    const itemKey = { namespace: scope.name, name: item?.metadata.name ?? "" };
    const body = guide.loadPart("rollback");
    await environment.client.patch(resources.deployItem, itemKey, { type: "merge", body });
    await scope.trigger("guided");
    await scope.waitForPhase("guided", "Succeeded");
    const back = (await scope.deployItems("guided")).get("item");
    expect(back?.status?.conditions).toContainEqual(expect.objectContaining({ type: "RolledBack", status: "True" }));
    expect((await scope.findOnTarget(kubeResources.configMap, "web-map"))?.data).toEqual({ key: "value" });
  });

  it("exports", async () => {
    const scope = await open("exports");
    const item = await succeed(scope, "exports");
    const secret = await scope.get(kubeResources.secret, item?.status?.exportRef?.name ?? "");
    expect(JSON.parse(Buffer.from(secret.data?.["config"] ?? "", "base64").toString())).toEqual({
      fromObject: "value",
      fromValues: "value",
      version: "1.0.0",
    });
  });

  it("values-from", async () => {
    const scope = await open("values-from");
    const encode = (text: string): string => Buffer.from(text).toString("base64");
    const settings = { "values.yaml": "key: from settings\nmore: from settings\n" };
    await scope.apply(
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: settings },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "login" }, data: { password: encode("a,b") } },
      {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "DataObject",
        metadata: { name: "region" },
        data: ["eu"],
      },
    );
    await succeed(scope, "values-from");
    expect((await scope.findOnTarget(kubeResources.configMap, "web-map"))?.data).toEqual({
      key: "hello",
      values: JSON.stringify({ db: { password: "a,b" }, key: "hello", more: "from settings", region: ["eu"] }),
    });
  });

  it("post-render", async () => {
    const scope = await open("post-render");
    await succeed(scope, "post-render");
    const map = await scope.findOnTarget(kubeResources.configMap, "web-map");
    expect(map?.data).toMatchObject({ key: "patched", more: "added" });
    expect(map?.metadata.labels).toMatchObject({ team: "shop" });
    expect(map?.metadata.annotations).toMatchObject({ "example.org/contact": "shop@example.org" });
  });

  it("manifests", async () => {
    const scope = await open("manifests");
    await succeed(scope, "manifests");
    expect([await isThere(scope, "web-map"), await isThere(scope, "hook")]).toEqual([true, false]);
  });
});
