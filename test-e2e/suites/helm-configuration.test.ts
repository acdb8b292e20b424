// What the configuration of helm items knows beyond charts and values: values of other objects, post-rendering, policies of definitions,
// server-side apply.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem, UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { rawChart, type ChartFiles } from "@landscaper/helm-deployer-lib/testing";
import { ReleaseStore, type ReleaseRecord } from "@landscaper/helm-release";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { helmItem, itemsInstallation } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { createSentinel, type Sentinel } from "../src/kits/sentinel.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { collectVisibleTexts } from "../src/namespaces/visible-texts.ts";

type Config = Readonly<Record<string, unknown>>;

const crdType = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
};

const webChart: ChartFiles = {
  "values.yaml": "env: [{ name: A, value: a }]\npassword: none\n",
  "templates/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: "registry.example.test/main:1", env: {{ .Values.env | toJson }} }] }
`,
  "templates/secret.yaml": `{{- if ne .Values.password "none" }}
apiVersion: v1
kind: Secret
metadata: { name: password }
stringData: { password: {{ .Values.password | quote }} }
{{- end }}
{{- if .Values.isBroken }}{{ fail (printf "cannot use %s" .Values.password) }}{{ end }}
`,
};

function cogs(group: string, ...fields: readonly string[]): string {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: "string" }]));
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties } } };
  return JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `cogs.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Cog", plural: "cogs", singular: "cog", listKind: "CogList" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
}

describe.each(clustersUnderTest())("helm items on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "helm-deployer"] });
  });
  afterAll(async () => environment.stop());

  async function open(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("target"));
    return scope;
  }

  async function deploy(
    scope: TestNamespace,
    config: Config,
    phase: "Succeeded" | "Failed" = "Succeeded",
  ): Promise<DeployItem | undefined> {
    const item = helmItem({
      namespace: scope.targetNamespace,
      config: { readinessChecks: { disableDefault: true }, ...config },
    });
    await scope.apply(itemsInstallation([item]));
    await scope.waitForPhase("root", phase);
    return (await scope.deployItems("root")).get("item");
  }

  async function history(scope: TestNamespace): Promise<ReleaseRecord[]> {
    const namespace = scope.targetNamespace;
    const store = new ReleaseStore({ client: environment.targetClient, namespace, name: "app", now: Date.now });
    return await store.history({ signal: AbortSignal.timeout(30_000) });
  }

  async function container(scope: TestNamespace): Promise<Config> {
    const web = await scope.findOnTarget(kubeResources.deployment, "web");
    const spec = web?.spec as { template: { spec: { containers: Config[] } } } | undefined;
    return spec?.template.spec.containers[0] ?? {};
  }

  async function writeSecret(scope: TestNamespace, { value }: Sentinel): Promise<void> {
    const data = { password: Buffer.from(value).toString("base64") };
    await scope.apply({ apiVersion: "v1", kind: "Secret", metadata: { name: "login" }, data });
  }

  it("have values of a Secret that nobody sees, and a new revision when it has changed", async () => {
    const scope = await open("values");
    const [first, second] = [createSentinel(), createSentinel()];
    const valuesFrom = [{ kind: "Secret", name: "login", key: "password", targetPath: "password" }];
    const chart = await rawChart(webChart);
    const password = async (): Promise<string> => {
      const secret = await scope.findOnTarget(kubeResources.secret, "password");
      return Buffer.from(secret?.data?.["password"] ?? "", "base64").toString();
    };
    await writeSecret(scope, first);
    const failed = await deploy(scope, { chart, valuesFrom, values: { isBroken: true } }, "Failed");
    expect(failed?.status?.lastError).toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringContaining("cannot use"),
    });
    await deploy(scope, { chart, valuesFrom });
    expect(await password()).toBe(first.value);
    await deploy(scope, { chart, valuesFrom });
    await writeSecret(scope, second);
    const item = await deploy(scope, { chart, valuesFrom });
    expect([await password(), (await history(scope)).length]).toEqual([second.value, 2]);
    const texts = await collectVisibleTexts(environment, scope);
    const spec = { where: "spec of the item", text: JSON.stringify(item?.spec) };
    const leaks = [...texts, spec].flatMap(({ where, text }) => {
      const found = first.findIn(text) ?? second.findIn(text);
      return found === undefined ? [] : [`${where}: ${found}`];
    });
    expect(leaks).toEqual([]);
  });

  it("are deployed and recorded as they are after rendering", async () => {
    const scope = await open("post-render");
    const postRender = {
      commonLabels: { team: "shop" },
      images: [{ name: "registry.example.test/main", newName: "mirror.example.test/main", newTag: "2" }],
      patches: [
        {
          target: { kind: "Deployment" },
          patch: { spec: { template: { spec: { containers: [{ name: "main", env: [{ name: "B", value: "b" }] }] } } } },
        },
        { target: { kind: "Deployment" }, patch: "- { op: add, path: /spec/replicas, value: 0 }" },
      ],
    };
    const chart = await rawChart(webChart);
    await deploy(scope, { chart, postRender });
    expect(await container(scope)).toMatchObject({
      image: "mirror.example.test/main:2",
      env: [
        { name: "B", value: "b" },
        { name: "A", value: "a" },
      ],
    });
    const web = await scope.findOnTarget(kubeResources.deployment, "web");
    expect(web).toMatchObject({
      metadata: { labels: { team: "shop" } },
      spec: { replicas: 0, selector: { matchLabels: { app: "web" } } },
    });
    expect((await history(scope))[0]?.manifest).toContain("image: mirror.example.test/main:2");
    const patches = [{ target: { kind: "StatefulSet" }, patch: {} }];
    const failed = await deploy(scope, { chart, postRender: { patches } }, "Failed");
    expect(failed?.status?.lastError?.message).toBe(
      "postRender.patches[0]: matches no object of the chart: kind StatefulSet",
    );
  });

  it("bring definitions up to date where they may, and their objects stay", async () => {
    const scope = await open("crds");
    const namespace = scope.targetNamespace;
    const group = `${namespace}.example.org`;
    const cogType = { group, version: "v1", kind: "Cog", plural: "cogs", namespaced: true };
    const fields = async (): Promise<string[]> => {
      const live = await environment.targetClient.get<UnstructuredObject>(crdType, { name: `cogs.${group}` });
      const spec = live["spec"] as { versions: { schema: { openAPIV3Schema: { properties: { spec: Config } } } }[] };
      return Object.keys(spec.versions[0]?.schema.openAPIV3Schema.properties.spec["properties"] ?? {});
    };
    await deploy(scope, { chart: await rawChart({ ...webChart, "crds/cogs.yaml": cogs(group, "a") }) });
    const cog = { apiVersion: `${group}/v1`, kind: "Cog", metadata: { name: "cog", namespace }, spec: { a: "1" } };
    const made = await environment.targetClient.create<UnstructuredObject>(cogType, cog);
    const chart = await rawChart({ ...webChart, "crds/cogs.yaml": cogs(group, "a", "b") });
    await deploy(scope, { chart });
    expect(await fields()).toEqual(["a"]);
    await deploy(scope, { chart, helmDeploymentConfig: { upgrade: { crdPolicy: "CreateReplace" } } });
    expect(await fields()).toEqual(["a", "b"]);
    const live = await environment.targetClient.get<UnstructuredObject>(cogType, { namespace, name: "cog" });
    expect([live.metadata.uid, live["spec"]]).toEqual([made.metadata.uid, { a: "1" }]);
    await scope.delete(resources.installation, "root");
    await scope.untilGone(resources.installation, "root");
    expect(await fields()).toEqual(["a", "b"]);
    await environment.targetClient.delete(crdType, { name: `cogs.${group}` });
  });

  it("apply on the server, and back to the three-way merge, without leaving anything", async () => {
    const scope = await open("apply");
    const chart = await rawChart(webChart);
    const env = (...names: readonly string[]): Config => ({
      env: names.map((name) => ({ name, value: name.toLowerCase() })),
    });
    const named = async (): Promise<unknown> =>
      ((await container(scope))["env"] as { name: string }[]).map(({ name }) => name);
    const apply = { chart, updateStrategy: "apply" };
    const key = { namespace: scope.targetNamespace, name: "web" };
    await deploy(scope, { chart, values: env("A", "B") });
    // What an autoscaler does, and somebody at a keyboard.
    const body = { spec: { replicas: 0, revisionHistoryLimit: 3 } };
    await environment.targetClient.patch(kubeResources.deployment, key, {
      type: "merge",
      body,
      fieldManager: "scaler",
    });
    await deploy(scope, { ...apply, values: env("A", "C") });
    expect(await named()).toEqual(["A", "C"]);
    await deploy(scope, { chart, values: env("C", "D") });
    expect(await named()).toEqual(["C", "D"]);
    await deploy(scope, { ...apply, values: env("E") });
    const web = await scope.findOnTarget(kubeResources.deployment, "web");
    expect([await named(), web?.spec]).toEqual([["E"], expect.objectContaining(body.spec)]);
    const image = { target: { kind: "Deployment" }, patch: { spec: { replicas: 2 } } };
    const refused = await deploy(scope, { ...apply, values: env("E"), postRender: { patches: [image] } }, "Failed");
    expect(refused?.status?.lastError).toMatchObject({
      reason: "FieldConflict",
      message: expect.stringContaining(`apply Deployment ${scope.targetNamespace}/web: scaler manages .spec.replicas`),
    });
    const forced = { ...apply, serverSideApply: { force: true }, values: env("E"), postRender: { patches: [image] } };
    await deploy(scope, forced);
    const scaled = await scope.findOnTarget(kubeResources.deployment, "web");
    expect(scaled?.spec).toMatchObject({ replicas: 2, revisionHistoryLimit: 3 });
  });

  it("say which component they would need, and that no repository is known for it", async () => {
    const scope = await open("resource");
    const key = "component: { name: example.org/app, version: 1.2.3 }\nresource: { name: chart }\n";
    const chart = { resourceRef: Buffer.from(key).toString("base64") };
    const failed = await deploy(scope, { chart }, "Failed");
    expect(failed?.status?.lastError).toMatchObject({
      reason: "RepositoryContextMissing",
      message: expect.stringMatching(/^component example\.org\/app:1\.2\.3: no repository is known for it/),
    });
  });
});
