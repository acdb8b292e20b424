// An item whose configuration changes its form or its name: what was deployed is taken over or goes.
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { mapChart, useHelmBench } from "../test/helm-bench.ts";
import { helmSpec, rawChart, type ChartFiles } from "../test/index.ts";

const bench = useHelmBench();
const keptTemplate = `apiVersion: v1
kind: ConfigMap
metadata: { name: kept, annotations: { helm.sh/resource-policy: keep } }
`;
const oldTemplate = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: old }\n";
const before: ChartFiles = { ...mapChart, "templates/old.yaml": oldTemplate, "templates/kept.yaml": keptTemplate };

async function uidOf(name: string): Promise<string | undefined> {
  return (await bench.find(kubeResources.configMap, name))?.metadata.uid;
}

describe("an item", () => {
  it.each([true, false])("that was helmDeployment %s becomes the other without losing an object", async (first) => {
    await bench.deploy({ chart: await rawChart(before), helmDeployment: first });
    const uid = await uidOf("app-map");
    const done = await bench.redeploy({
      chart: await rawChart(mapChart),
      helmDeployment: !first,
      values: { key: "next" },
    });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect([await uidOf("app-map"), (await bench.data())?.["key"]]).toEqual([uid, "next"]);
    expect(await uidOf("old")).toBeUndefined();
    expect(await uidOf("kept")).toBeDefined();
    expect(await bench.revisions()).toEqual(first ? [] : ["app.v1 deployed"]);
    expect(done.status?.providerStatus).not.toHaveProperty("former");
    await bench.remove();
    expect([await uidOf("app-map"), await bench.revisions()]).toEqual([undefined, []]);
  });

  it("takes over nothing but its own when it becomes a release", async () => {
    await bench.deploy({ chart: await rawChart(mapChart), helmDeployment: false });
    const metadata = { name: "old", namespace: bench.namespace };
    await bench.fixture.targetClient.create(kubeResources.configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
    const done = await bench.redeploy({ chart: await rawChart(before) });
    expect(done.status).toMatchObject({ phase: "Failed", lastError: { reason: "ReleaseOwnership" } });
    expect(await uidOf("app-map")).toBeDefined();
  });

  it("with another release name has the former release uninstalled when the new one is there", async () => {
    const chart = await rawChart(mapChart);
    await bench.deploy({ chart });
    const done = await bench.redeploy({ chart, name: "other" });
    expect(done.status).toMatchObject({ phase: "Succeeded", providerStatus: { release: { name: "other" } } });
    expect([await uidOf("app-map"), await uidOf("other-map")]).toEqual([undefined, expect.any(String)]);
    expect(await bench.revisions()).toEqual(["other.v1 deployed"]);
  });

  it("with another release name and the same objects is refused, unless it may take them", async () => {
    const chart = await rawChart({ "templates/old.yaml": oldTemplate });
    await bench.deploy({ chart });
    const uid = await uidOf("old");
    const refused = await bench.redeploy({ chart, name: "other" });
    expect(refused.status).toMatchObject({ phase: "Failed", lastError: { reason: "ReleaseOwnership" } });
    const install = { takeOwnership: true };
    const done = await bench.redeploy({ chart, name: "other", helmDeploymentConfig: { install } });
    expect([done.status?.phase, await uidOf("old")]).toEqual(["Succeeded", uid]);
    expect(await bench.revisions()).toEqual(["other.v1 deployed"]);
    await bench.remove();
    expect(await uidOf("old")).toBeUndefined();
  });
});

describe("without a release", () => {
  const hook = (events: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: hook, annotations: { helm.sh/hook: "${events}" } }\n`;

  it.each([
    { events: "pre-install", phase: "Failed", isThere: false },
    { events: "pre-install", hooks: "apply", phase: "Succeeded", isThere: true },
    { events: "post-upgrade", hooks: "skip", phase: "Succeeded", isThere: false },
    { events: "test", phase: "Succeeded", isThere: false },
    { events: "pre-delete", phase: "Succeeded", isThere: false },
  ])("a $events hook with hooks: $hooks: $phase", async ({ events, hooks, phase, isThere }) => {
    const chart = await rawChart({ ...mapChart, "templates/hook.yaml": hook(events) });
    const done = await bench.deploy({ chart, helmDeployment: false, ...(hooks === undefined ? {} : { hooks }) });
    expect(done.status?.phase).toBe(phase);
    if (phase === "Failed") expect(done.status?.lastError?.reason).toBe("ChartHooksRefused");
    expect((await uidOf("hook")) !== undefined).toBe(isThere);
  });

  it("kinds come with the chart, and the namespace of the release stays", async () => {
    const namespace = `${bench.namespace}-own`;
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: cogs.${bench.namespace}.example.org }
spec:
  group: ${bench.namespace}.example.org
  scope: Cluster
  names: { kind: Cog, plural: cogs, singular: cog, listKind: CogList }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;
    const cog = `apiVersion: ${bench.namespace}.example.org/v1\nkind: Cog\nmetadata: { name: cog }\n`;
    const chart = await rawChart({ ...mapChart, "crds/cogs.yaml": crd, "templates/cog.yaml": cog });
    const { config } = helmSpec(namespace, { chart, helmDeployment: false, createNamespace: true });
    await bench.scope.create({ name: "item", spec: { ...helmSpec(namespace, {}), ...(config && { config }) } });
    const done = await bench.scope.waitForEnd("item");
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    await bench.remove();
    const left = await bench.fixture.targetClient.find(kubeResources.namespace, { name: namespace });
    expect(left?.metadata.deletionTimestamp).toBeUndefined();
    expect(left).toBeDefined();
  });
});
