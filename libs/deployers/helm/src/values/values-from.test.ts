// Values from objects of the Landscaper cluster: when they are read, what they change, and that nobody sees them.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { useHelmBench } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

// Names from secrets are accepted, so that the tests can show that messages mask them.
const bench = useHelmBench({ allowSecretNames: true });
const secretValue = "correct-horse-battery";
const chartFiles = {
  "values.yaml": "password: none\nport: 1\n",
  "templates/map.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: app-map }
data: { port: {{ .Values.port | quote }}, number: "{{ .Values.number }}" }
`,
  "templates/secret.yaml": `apiVersion: v1
kind: Secret
metadata: { name: app-secret }
stringData: { password: {{ .Values.password | quote }} }
`,
};

async function writeSecret(name: string, data: Readonly<Record<string, string>>): Promise<void> {
  const encoded = Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  );
  const metadata = { name, namespace: bench.namespace };
  const client = bench.fixture.hubClient;
  const live = await client.find(kubeResources.secret, metadata);
  const object = { apiVersion: "v1", kind: "Secret", metadata: live?.metadata ?? metadata, data: encoded };
  await (live === undefined
    ? client.create(kubeResources.secret, object)
    : client.update(kubeResources.secret, object));
}

async function password(): Promise<string> {
  const data = (await bench.find(kubeResources.secret, "app-secret"))?.data;
  return Buffer.from(data?.["password"] ?? "", "base64").toString();
}

const valuesFrom = [{ kind: "Secret", name: "credentials", key: "password", targetPath: "password" }];

describe.each([true, false])("values of other objects with helmDeployment %s", (helmDeployment) => {
  it("are merged in their order below values", async () => {
    const { namespace } = bench;
    const client = bench.fixture.hubClient;
    await writeSecret("credentials", { password: secretValue });
    await client.create(kubeResources.configMap, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "settings", namespace },
      data: { "values.yaml": "port: 2\nnumber: 2\n", number: "5" },
    });
    await client.create(resources.dataObject, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DataObject",
      metadata: { name: "more", namespace },
      data: { port: 3 },
    });
    const done = await bench.deploy({
      chart: await rawChart(chartFiles),
      helmDeployment,
      valuesFrom: [
        ...valuesFrom,
        { kind: "ConfigMap", name: "settings" },
        { kind: "DataObject", name: "more" },
        { kind: "ConfigMap", name: "settings", valuesKey: "number", targetPath: "number" },
        { kind: "ConfigMap", name: "nothing", optional: true },
      ],
      values: { password: undefined },
      exports: { exports: [{ key: "port", jsonPath: ".Values.port" }] },
    });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect([await password(), await bench.data()]).toEqual([secretValue, { port: "3", number: "5" }]);
    expect(await bench.exports()).toEqual({ port: 3 });
  });

  it("are waited for, and nothing is told of them when a template fails", async () => {
    const failing = '{{ fail (printf "cannot use %s" .Values.password) }}';
    const chart = await rawChart({ ...chartFiles, "templates/fail.yaml": failing });
    await bench.create({ chart, helmDeployment, valuesFrom });
    const missing = await bench.waitForError();
    expect(missing.status?.lastError).toMatchObject({
      reason: "ValuesMissing",
      message: "valuesFrom[0]: Secret credentials does not exist; it is looked for in the namespace of the deploy item",
    });
    await writeSecret("credentials", { password: secretValue });
    const failed = await bench.scope.waitForEnd("item");
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "ChartRenderingFailed",
        message: expect.stringContaining("cannot use [...]"),
      },
    });
    expect(JSON.stringify(failed)).not.toContain(secretValue);
  });

  it("that lack the key are told by name", async () => {
    await writeSecret("credentials", { other: secretValue });
    const done = await bench.deployInVain({ chart: await rawChart(chartFiles), helmDeployment, valuesFrom });
    expect(done.status?.lastError?.message).toContain("valuesFrom[0]: Secret credentials has no key password");
  });
});

it("long values are composed in a thread, and do the same", async () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `key-${index}: value-${index}`);
  await writeSecret("many", { "values.yaml": [...lines, `password: ${secretValue}`, "number: 5"].join("\n") });
  const many = [{ kind: "Secret", name: "many" }];
  const done = await bench.deploy({ chart: await rawChart(chartFiles), values: { port: 7 }, valuesFrom: many });
  expect(done.status?.phase).toBe("Succeeded");
  expect(await password()).toBe(secretValue);
  expect((await bench.find(kubeResources.configMap, "app-map"))?.data).toEqual({ port: "7", number: "5" });
});

it("a changed Secret makes a new revision with the next job, the same one none", async () => {
  await writeSecret("credentials", { password: secretValue });
  const config = { chart: await rawChart(chartFiles), valuesFrom };
  await bench.deploy(config);
  await bench.redeploy(config);
  expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
  await writeSecret("credentials", { password: "another-secret-value" });
  const done = await bench.redeploy(config);
  expect([await password(), await bench.revisions()]).toEqual([
    "another-secret-value",
    ["app.v1 superseded", "app.v2 deployed"],
  ]);
  expect(JSON.stringify(done)).not.toContain("another-secret-value");
});

it("values that a hook repeats in its log or name are not told", async () => {
  await writeSecret("credentials", { password: secretValue });
  const hook = `apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Values.password }}-NO-NAME", annotations: { helm.sh/hook: pre-install } }
`;
  const chart = await rawChart({ ...chartFiles, "templates/hook.yaml": hook });
  const done = await bench.deployInVain({ chart, valuesFrom });
  expect(done.status?.phase).toBe("Failed");
  expect(done.status?.lastError?.message).toContain("[...]-NO-NAME");
  expect(JSON.stringify(done)).not.toContain(secretValue);
});
