// Tokens that are sealed for the agent of an Environment: charts get them opened, and nobody else does.
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { createSealingKeys, sealToken, unsealTokens } from "@landscaper/deployer";
import { useHelmBench } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

const keys = createSealingKeys();
const signature = "correct-horse-battery-staple";
const token = `e30.e30.${signature}`;
const sealed = sealToken(token, keys.publicKey);
const chartFiles = {
  "templates/secret.yaml": `apiVersion: v1
kind: Secret
metadata: { name: app-secret }
stringData: { kubeconfig: {{ .Values.deployer.kubeconfig | quote }}, port: {{ .Values.port | quote }} }
`,
};
const valuesWith = (secret: string) => ({ deployer: { kubeconfig: `users: [{token: ${secret}}]` }, port: 8080 });

describe("with the key of the process", () => {
  const bench = useHelmBench({
    unseal: (text) => Promise.resolve(unsealTokens(text, keys.privateKey)),
  });
  const stored = async (): Promise<unknown> => {
    const data = (await bench.find(kubeResources.secret, "app-secret"))?.data ?? {};
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
    );
  };

  it.each([true, false])("charts get the token, with helmDeployment %s", async (helmDeployment) => {
    const done = await bench.deploy({ chart: await rawChart(chartFiles), helmDeployment, values: valuesWith(sealed) });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect(await stored()).toEqual({ kubeconfig: `users: [{token: ${token}}]`, port: "8080" });
    expect(JSON.stringify(done)).not.toContain(signature);
  });

  it("also beside values of other objects", async () => {
    await bench.fixture.hubClient.create(kubeResources.configMap, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "settings", namespace: bench.namespace },
      data: { "values.yaml": "port: 1\nother: 2\n" },
    });
    const failing = '{{ fail (printf "%d: cannot use %s" .Values.other .Values.deployer.kubeconfig) }}';
    const chart = await rawChart({ ...chartFiles, "templates/fail.yaml": failing });
    const valuesFrom = [{ kind: "ConfigMap", name: "settings" }];
    const failed = await bench.deployInVain({ chart, valuesFrom, values: valuesWith(sealed) });
    expect(failed.status?.lastError?.message).toMatch(/\[\.\.\.\]/);
    expect(JSON.stringify(failed)).not.toContain(signature);
  });

  it("failures of charts do not show it", async () => {
    const failing = '{{ fail (printf "cannot use %s" .Values.deployer.kubeconfig) }}';
    const chart = await rawChart({ ...chartFiles, "templates/fail.yaml": failing });
    const failed = await bench.deploy({ chart, values: valuesWith(sealed) });
    expect(failed.status?.lastError?.message).toContain("cannot use [...]");
    expect(JSON.stringify(failed)).not.toContain(signature);
  });

  it("one for another key keeps the job from deploying anything", async () => {
    const foreign = sealToken(token, createSealingKeys().publicKey);
    await bench.create({ chart: await rawChart(chartFiles), values: valuesWith(foreign) });
    const { status } = await bench.waitForError();
    expect(status?.lastError).toMatchObject({
      reason: "TokenSealed",
      message: expect.stringContaining("values: a token is sealed for another key than that of this process"),
    });
    expect(await stored()).toEqual({});
  });
});

describe("without a key", () => {
  const bench = useHelmBench();

  it("it stays sealed", async () => {
    const chart = await rawChart(chartFiles);
    const done = await bench.deploy({ chart, helmDeployment: false, values: valuesWith(sealed) });
    expect(done.status?.phase).toBe("Succeeded");
    const { data } = (await bench.find(kubeResources.secret, "app-secret")) ?? {};
    expect(Buffer.from(data?.["kubeconfig"] ?? "", "base64").toString()).toContain(sealed);
  });
});
