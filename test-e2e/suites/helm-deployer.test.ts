// Acceptance scenarios of helm items (deployers.md §5, A2-A5, A16-A18; A6 and A19 in helm-registries.test.ts) with the services as processes.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem, UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { rawChart, type ChartFiles } from "@landscaper/helm-deployer-lib/testing";
import type { Environment } from "../src/environment.ts";
import { startEnvironment } from "../src/environment.ts";
import { helmItem, itemsInstallation } from "../src/inline-installation.ts";
import { clustersUnderTest } from "../src/selected-clusters.ts";
import type { TestNamespace } from "../src/test-namespace.ts";

type Config = Readonly<Record<string, unknown>>;

const mapTemplate = `apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Release.Name }}-map" }
data: { key: {{ .Values.key | quote }} }
`;
const mapChart: ChartFiles = { "values.yaml": "key: value\n", "templates/map.yaml": mapTemplate };
const workloadChart: ChartFiles = {
  ...mapChart,
  "templates/before.yaml": `apiVersion: batch/v1
kind: Job
metadata:
  name: before
  annotations: { helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded" }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: registry.example.test/main:1 }] } } }
`,
  "templates/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: registry.example.test/main:1 }] }
`,
};

function installation(scope: TestNamespace, config: Config, item: Config = {}): UnstructuredObject {
  return itemsInstallation([helmItem({ namespace: scope.targetNamespace, config, item })]);
}

async function itemOf(scope: TestNamespace): Promise<DeployItem | undefined> {
  return (await scope.deployItems("root")).get("item");
}

describe.each(clustersUnderTest())("the helm deployer on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    const services = ["landscaper-core", "helm-deployer"] as const;
    environment = await startEnvironment({ cluster, services, workloads: true });
  }, 120_000);
  afterAll(async () => environment.stop());

  async function open(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("target"));
    return scope;
  }

  async function data(scope: TestNamespace, name = "app-map"): Promise<unknown> {
    return (await scope.findOnTarget(kubeResources.configMap, name))?.data;
  }

  async function revisions(scope: TestNamespace): Promise<string[]> {
    const namespace = scope.targetNamespace;
    const found = await environment.targetClient.list(kubeResources.secret, { namespace, labelSelector: "owner=helm" });
    return found.items.map(({ metadata }) => `${metadata.name} ${metadata.labels?.["status"]}`).toSorted();
  }

  async function remove(scope: TestNamespace): Promise<void> {
    await scope.delete(resources.installation, "root");
    await scope.waitGone(resources.installation, "root");
  }

  it.each([true, false])("installs, upgrades, exports, removes; helmDeployment %s (A2-A4)", async (helmDeployment) => {
    const scope = await open("a2");
    const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "app-map", namespace: scope.targetNamespace };
    const exports = { exports: [{ key: "exportKey", jsonPath: "data.key", fromResource }] };
    const chart = await rawChart(mapChart);
    await scope.apply(installation(scope, { chart, helmDeployment, exports }));
    await scope.waitForPhase("root", "Succeeded");
    expect(await data(scope)).toEqual({ key: "value" });
    const item = await itemOf(scope);
    const secret = await scope.get(kubeResources.secret, item?.status?.exportRef?.name ?? "");
    expect(secret.metadata.name).toBe(`${item?.metadata.name}-export`);
    expect(JSON.parse(Buffer.from(secret.data?.["config"] ?? "", "base64").toString())).toEqual({ exportKey: "value" });
    await scope.apply(installation(scope, { chart, helmDeployment, exports, values: { key: "value_updated" } }));
    await scope.waitForPhase("root", "Succeeded");
    expect(await data(scope)).toEqual({ key: "value_updated" });
    expect(await revisions(scope)).toHaveLength(helmDeployment ? 2 : 0);
    await remove(scope);
    expect([await data(scope), await revisions(scope)]).toEqual([undefined, []]);
  });

  it("runs hooks, and waits for the workloads of a release", async () => {
    const scope = await open("workloads");
    const helmDeploymentConfig = { install: { wait: true, atomic: true }, upgrade: { wait: true } };
    await scope.apply(installation(scope, { chart: await rawChart(workloadChart), helmDeploymentConfig }));
    await scope.waitForPhase("root", "Succeeded");
    const web = await scope.findOnTarget(kubeResources.deployment, "web");
    expect(web?.status).toMatchObject({ availableReplicas: 2 });
    const item = await itemOf(scope);
    expect(item?.status?.providerStatus).toMatchObject({
      managedResources: [{ resource: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } }],
    });
    await remove(scope);
    expect(await scope.findOnTarget(kubeResources.deployment, "web")).toBeUndefined();
  });

  it("runs hooks of a chart that makes no release, also those of the deletion", async () => {
    const scope = await open("hooks");
    const farewell = `apiVersion: v1
kind: ConfigMap
metadata: { name: farewell, annotations: { helm.sh/hook: post-delete } }
`;
    const chart = await rawChart({ ...workloadChart, "templates/farewell.yaml": farewell });
    await scope.apply(installation(scope, { chart, helmDeployment: false, hooks: "run" }));
    await scope.waitForPhase("root", "Succeeded");
    const stored = async () => await scope.findOnTarget(kubeResources.secret, "landscaper-hooks.app");
    expect([await stored(), await data(scope, "farewell")]).toEqual([expect.anything(), undefined]);
    const jobs = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true };
    // It has run: its delete policy has removed it.
    expect(await scope.findOnTarget(jobs, "before")).toBeUndefined();
    await remove(scope);
    expect([await stored(), await data(scope), await scope.findOnTarget(kubeResources.configMap, "farewell")]).toEqual([
      undefined,
      undefined,
      expect.anything(),
    ]);
  });

  it("is ready or fails by a check of its own (A5)", async () => {
    const scope = await open("a5");
    const chart = await rawChart(mapChart);
    const selected = { apiVersion: "v1", kind: "ConfigMap", name: "app-map", namespace: scope.targetNamespace };
    const checks = (value: string): Config => {
      const requirements = [{ jsonPath: ".data.key", operator: "==", values: [{ value }] }];
      return { disableDefault: true, custom: [{ name: "key", resourceSelector: [selected], requirements }] };
    };
    await scope.apply(installation(scope, { chart, readinessChecks: checks("value") }));
    await scope.waitForPhase("root", "Succeeded");
    await scope.apply(installation(scope, { chart, readinessChecks: checks("value_WRONG") }, { timeout: "3s" }));
    await scope.waitForPhase("root", "Failed");
    expect((await itemOf(scope))?.status?.lastError?.message).toContain("check key");
    expect(await revisions(scope)).toEqual(["sh.helm.release.v1.app.v1 deployed"]);
  });

  it("goes on where an install was left pending (A16)", async () => {
    const scope = await open("a16");
    const namespace = scope.targetNamespace;
    const chart = await rawChart(mapChart);
    await scope.apply(installation(scope, { chart }));
    await scope.waitForPhase("root", "Succeeded");
    const name = "sh.helm.release.v1.app.v1";
    const secret = await environment.targetClient.get(kubeResources.secret, { namespace, name });
    const labels = { ...secret.metadata.labels, status: "pending-install" };
    await environment.targetClient.update(kubeResources.secret, {
      ...secret,
      metadata: { ...secret.metadata, labels },
    });
    await scope.apply(installation(scope, { chart, values: { key: "next" } }));
    await scope.waitForPhase("root", "Succeeded");
    expect(await data(scope)).toEqual({ key: "next" });
  });

  it("checks values by the schema of the chart, unless it is not to (A17)", async () => {
    const scope = await open("a17");
    const schema = JSON.stringify({ properties: { key: { type: "string" } } });
    const chart = await rawChart({ ...mapChart, "values.schema.json": schema });
    await scope.apply(installation(scope, { chart, values: { key: 1 } }));
    await scope.waitForPhase("root", "Failed");
    expect((await itemOf(scope))?.status?.lastError?.reason).toBe("InvalidChart");
    const helmDeploymentConfig = { install: { skipSchemaValidation: true } };
    await scope.apply(installation(scope, { chart, values: { key: 1 }, helmDeploymentConfig }));
    await scope.waitForPhase("root", "Succeeded");
    expect(await data(scope)).toEqual({ key: "1" });
  });

  it("replaces what the former version of the chart had (A18)", async () => {
    const scope = await open("a18");
    await scope.apply(installation(scope, { chart: await rawChart(mapChart) }));
    await scope.waitForPhase("root", "Succeeded");
    const secret = "apiVersion: v1\nkind: Secret\nmetadata: { name: hello }\nstringData: { key: value }\n";
    const next = await rawChart({ "templates/secret.yaml": secret }, { version: "1.0.1" });
    await scope.apply(installation(scope, { chart: next }));
    await scope.waitForPhase("root", "Succeeded");
    expect([await data(scope), (await scope.findOnTarget(kubeResources.secret, "hello"))?.data]).toEqual([
      undefined,
      { key: "dmFsdWU=" },
    ]);
  });
});
