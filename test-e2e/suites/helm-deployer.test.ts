// Acceptance scenarios of helm items (deployers.md §5, A2-A5, A16-A18; A6 and A19 in helm-registries.test.ts) with the services as processes.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem, UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { rawChart, type ChartFiles } from "@landscaper/helm-deployer-lib/testing";
import { ReleaseStore } from "@landscaper/helm-release";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { helmItem, itemsInstallation } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

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
  });
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
    await scope.untilGone(resources.installation, "root");
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

  describe("hooks of a chart that makes no release", () => {
    const hook = (name: string, event: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, annotations: { helm.sh/hook: ${event} } }\n`;
    const files: ChartFiles = {
      ...mapChart,
      "templates/before.yaml": hook("before", "pre-install"),
      "templates/farewell.yaml": hook("farewell", "pre-delete"),
    };
    const names = ["app-map", "before", "farewell"];
    const deployed = async (scope: TestNamespace): Promise<readonly string[]> => {
      const found = await Promise.all(names.map(async (name) => scope.findOnTarget(kubeResources.configMap, name)));
      return names.filter((_, at) => found[at] !== undefined);
    };

    it.each([undefined, "refuse"])("are refused before anything is deployed: hooks %s", async (hooks) => {
      const scope = await open("hooks-refuse");
      await scope.apply(installation(scope, { chart: await rawChart(files), helmDeployment: false, hooks }));
      await scope.waitForPhase("root", "Failed");
      const refused = (await itemOf(scope))?.status?.lastError;
      expect([refused?.reason, refused?.message]).toEqual([
        "ChartHooksRefused",
        expect.stringContaining("chart has 1 hooks, such as ConfigMap before (app/templates/before.yaml)"),
      ]);
      expect(await deployed(scope)).toEqual([]);
    });

    it.each([
      { hooks: "run", during: ["app-map", "before"], owned: ["app-map"], after: ["before", "farewell"] },
      { hooks: "skip", during: ["app-map"], owned: ["app-map"], after: [] },
      { hooks: "apply", during: ["app-map", "before"], owned: ["app-map", "before"], after: [] },
    ])("hooks: $hooks", async ({ hooks, during, owned, after }) => {
      const scope = await open(`hooks-${hooks}`);
      await scope.apply(installation(scope, { chart: await rawChart(files), helmDeployment: false, hooks }));
      await scope.waitForPhase("root", "Succeeded");
      expect(await deployed(scope)).toEqual(during);
      expect((await itemOf(scope))?.status?.providerStatus).toMatchObject({
        managedResources: owned.map((name) => ({ resource: { kind: "ConfigMap", name } })),
      });
      await remove(scope);
      expect(await deployed(scope)).toEqual(after);
    });
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

  it.each([1, 2])("goes on where revision %i was left half-way (A16)", async (left) => {
    const scope = await open("a16");
    const namespace = scope.targetNamespace;
    const leftover = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: leftover }\n";
    const former = await rawChart({ ...mapChart, "templates/leftover.yaml": leftover });
    for (let revision = 1; revision <= left; revision++) {
      await scope.apply(installation(scope, { chart: former, values: { key: `value ${revision}` } }));
      await scope.waitForPhase("root", "Succeeded");
    }
    const { signal } = new AbortController();
    const store = new ReleaseStore({ client: environment.targetClient, namespace, name: "app", now: Date.now });
    const half = (await store.history({ signal })).at(-1);
    if (half === undefined) throw new Error("expected a revision, found none");
    const status = left === 1 ? "pending-install" : "pending-upgrade";
    await store.update({ ...half, info: { ...half.info, status } }, { signal });
    // It has got no further than one of its objects.
    await environment.targetClient.delete(kubeResources.configMap, { namespace, name: "app-map" });

    const chart = await rawChart(mapChart);
    await scope.apply(installation(scope, { chart, values: { key: "next" } }));
    await scope.waitForPhase("root", "Succeeded");
    expect([await data(scope), await data(scope, "leftover")]).toEqual([{ key: "next" }, undefined]);
    const history = await store.history({ signal });
    expect(history.slice(-2).map(({ version, info }) => [version, info.status, info.description])).toEqual([
      [left, "superseded", `Interrupted while ${status}`],
      [left + 1, "deployed", "Upgrade complete"],
    ]);
  });

  it("tries a revision that was left half-way again although nothing is new (A16)", async () => {
    const scope = await open("a16-same");
    const namespace = scope.targetNamespace;
    const config = { chart: await rawChart(mapChart) };
    await scope.apply(installation(scope, config));
    await scope.waitForPhase("root", "Succeeded");
    const { signal } = new AbortController();
    const store = new ReleaseStore({ client: environment.targetClient, namespace, name: "app", now: Date.now });
    const [half] = await store.history({ signal });
    if (half === undefined) throw new Error("expected a revision, found none");
    await store.update({ ...half, info: { ...half.info, status: "pending-install" } }, { signal });
    await environment.targetClient.delete(kubeResources.configMap, { namespace, name: "app-map" });
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    // Under its number: it is what the item says.
    expect([await data(scope), await revisions(scope)]).toEqual([
      { key: "value" },
      ["sh.helm.release.v1.app.v1 deployed"],
    ]);
  });

  const schema = JSON.stringify({ properties: { key: { type: "string" } } });

  it.each([true, false])(
    "checks values by the schema of the chart, unless it is not to; helmDeployment %s (A17)",
    async (helmDeployment) => {
      const scope = await open("a17");
      const chart = await rawChart({ ...mapChart, "values.schema.json": schema });
      await scope.apply(installation(scope, { chart, helmDeployment, values: { key: 1 } }));
      await scope.waitForPhase("root", "Failed");
      const refused = (await itemOf(scope))?.status?.lastError;
      expect([refused?.reason, await data(scope)]).toEqual(["InvalidChart", undefined]);
      expect(refused?.message).toContain("at '/key': got number, want string");
      const helmDeploymentConfig = { install: { skipSchemaValidation: true } };
      await scope.apply(installation(scope, { chart, helmDeployment, values: { key: 1 }, helmDeploymentConfig }));
      await scope.waitForPhase("root", "Succeeded");
      expect(await data(scope)).toEqual({ key: "1" });
    },
  );

  it.each([true, false])(
    "checks values of dependencies by their schemas, of disabled ones not; helmDeployment %s (A17)",
    async (helmDeployment) => {
      const scope = await open("a17-sub");
      const dependencies = "dependencies: [{ name: sub, version: 1.0.0, condition: sub.enabled }]";
      const chart = await rawChart({
        ...mapChart,
        "Chart.yaml": `apiVersion: v2\nname: app\nversion: 1.0.0\n${dependencies}\n`,
        "charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
        "charts/sub/values.schema.json": schema,
        "charts/sub/templates/map.yaml": mapTemplate.replace("-map", "-sub"),
      });
      const of = (enabled: boolean, key: unknown): UnstructuredObject =>
        installation(scope, { chart, helmDeployment, values: { sub: { enabled, key } } });
      await scope.apply(of(true, 1));
      await scope.waitForPhase("root", "Failed");
      const refused = (await itemOf(scope))?.status?.lastError;
      expect([refused?.reason, await data(scope)]).toEqual(["InvalidChart", undefined]);
      expect(refused?.message).toContain("sub:\n- at '/key': got number, want string");
      await scope.apply(of(false, 1));
      await scope.waitForPhase("root", "Succeeded");
      expect([await data(scope), await data(scope, "app-sub")]).toEqual([{ key: "value" }, undefined]);
      await scope.apply(of(true, "text"));
      await scope.waitForPhase("root", "Succeeded");
      expect(await data(scope, "app-sub")).toEqual({ key: "text" });
    },
  );

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
