// Post-rendering of items: what is changed is what is deployed, recorded and planned.
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { ReleaseStore } from "@landscaper/helm-release";
import { mapChart, useHelmBench } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

const bench = useHelmBench();
const hook = `apiVersion: v1
kind: ConfigMap
metadata: { name: hook, annotations: { helm.sh/hook: pre-install } }
`;
const chartFiles = { ...mapChart, "templates/hook.yaml": hook };
const postRender = {
  commonLabels: { team: "a" },
  patches: [
    { target: { kind: "ConfigMap", name: "app-map" }, patch: [{ op: "replace", path: "/data/key", value: "patched" }] },
  ],
};

describe.each([true, false])("with helmDeployment %s", (helmDeployment) => {
  const config = { helmDeployment, hooks: "apply" };

  it("objects and hooks are deployed as they are changed, and as the chart has them when that is taken back", async () => {
    const chart = await rawChart(chartFiles);
    const done = await bench.deploy({ ...config, chart, postRender });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect(await bench.data()).toMatchObject({ key: "patched" });
    const [map, hookMap] = await Promise.all(
      ["app-map", "hook"].map(async (name) => await bench.find(kubeResources.configMap, name)),
    );
    expect([map?.metadata.labels?.["team"], hookMap?.metadata.labels?.["team"]]).toEqual(["a", "a"]);
    await bench.redeploy({ ...config, chart });
    const after = await bench.find(kubeResources.configMap, "app-map");
    expect([after?.data?.["key"], after?.metadata.labels?.["team"]]).toEqual(["value", undefined]);
  });

  it("a patch that matches nothing ends the job before anything is deployed", async () => {
    const patches = [{ target: { name: "none" }, patch: {} }];
    const done = await bench.deploy({ ...config, chart: await rawChart(chartFiles), postRender: { patches } });
    expect(done.status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "PostRenderingFailed",
        message: "postRender.patches[0]: matches no object of the chart: name none",
      },
    });
    expect([await bench.data(), await bench.revisions()]).toEqual([undefined, []]);
  });
});

it("the record of the release has what is there, and the same again makes no new one", async () => {
  const config = { chart: await rawChart(chartFiles), postRender };
  await bench.deploy(config);
  await bench.redeploy(config);
  const { namespace } = bench;
  const store = new ReleaseStore({ client: bench.fixture.targetClient, namespace, name: "app", now: Date.now });
  const history = await store.history({ signal: AbortSignal.timeout(5000) });
  expect(history.map(({ version, manifest }) => [version, /key: patched/.test(manifest)])).toEqual([[1, true]]);
});
