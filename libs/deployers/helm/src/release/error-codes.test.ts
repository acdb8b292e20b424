// Failures that the original classifies by words of Helm's messages (docs/compatibility.md). This deployer classifies them by their cause.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type DeployItem } from "@landscaper/api";
import { mapChart, useHelmBench } from "../../test/helm-bench.ts";
import { rawChart, type ChartFiles } from "../../test/index.ts";

const bench = useHelmBench();

const hookChart: ChartFiles = {
  ...mapChart,
  "templates/hook.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: NOT-A-NAME, annotations: { helm.sh/hook: pre-upgrade } }
`,
};
const noYaml: ChartFiles = { ...mapChart, "templates/map.yaml": "apiVersion: v1\nkind: ConfigMap\n  metadata: {\n" };

function failureOf({ status }: DeployItem) {
  const { phase, lastError } = status ?? {};
  return { phase, reason: lastError?.reason, codes: lastError?.codes };
}

describe("a job fails at once if", () => {
  it("an object of a new release already exists", async () => {
    const metadata = { name: "app-map", namespace: bench.namespace };
    await bench.fixture.targetClient.create(kubeResources.configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
    const failed = failureOf(await bench.deploy({ chart: await rawChart(mapChart) }));
    expect(failed).toEqual({ phase: "Failed", reason: "ReleaseOwnership", codes: undefined });
  });

  it("a hook before the upgrade fails", async () => {
    await bench.deploy({ chart: await rawChart(mapChart) });
    const failed = failureOf(await bench.redeploy({ chart: await rawChart(hookChart) }));
    expect(failed).toEqual({ phase: "Failed", reason: "HookFailed", codes: undefined });
  });

  it("a rendered template is not valid YAML", async () => {
    const failed = failureOf(await bench.deploy({ chart: await rawChart(noYaml) }));
    expect(failed).toEqual({ phase: "Failed", reason: "ChartRenderingFailed", codes: ["ERR_CONFIGURATION_PROBLEM"] });
  });
});
