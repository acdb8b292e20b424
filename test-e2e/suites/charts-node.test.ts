// The charts on a real node, with the images of this checkout: helm installs them, the command installs a landscape, and a deletion leaves nothing of it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { describeUnless, waitFor } from "@landscaper/testkit";
import { parseAllDocuments } from "yaml";
import type { Values } from "../charts/rendered-chart.ts";
import {
  chartClusterAbsence,
  startChartCluster,
  systemNamespace,
  type ChartCluster,
} from "../charts-node/chart-cluster.ts";
import {
  blueprintYaml,
  clusterImport,
  deployItems,
  helmItem,
  itemsInstallation,
  manifestItem,
  mockItem,
} from "../src/installations/inline-installation.ts";

const suiteMs = 1_800_000;

const configMap = (name: string, data: Readonly<Record<string, string>>): Record<string, unknown> => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data,
});

describeUnless(chartClusterAbsence(), describe)("the charts on a real node", () => {
  let cluster: ChartCluster;
  beforeAll(async () => {
    cluster = await startChartCluster();
  }, suiteMs);
  afterAll(async () => cluster?.stop());

  it(
    "install core and deployers, whose pods get ready",
    async () => {
      await cluster.deploy("landscaper", "landscaper-stack", { enabled: { mockDeployer: true } });
      const pods = await cluster.podsOf("landscaper");
      const state = pods.map(({ metadata, status }) => ({
        name: metadata.labels?.["app.kubernetes.io/name"],
        restarts: status?.containerStatuses?.map(({ restartCount }) => restartCount),
      }));
      expect(state.toSorted((a, b) => String(a.name).localeCompare(String(b.name)))).toEqual(
        ["helm-deployer", "landscaper", "manifest-deployer", "mock-deployer"].map((name) => ({ name, restarts: [0] })),
      );
    },
    suiteMs,
  );

  it("run what the command installs, and a deletion leaves nothing", async () => {
    const chart = await rawChart({
      "values.yaml": "text: none\n",
      "templates/map.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: of-the-chart }
data: { text: {{ .Values.text | quote }} }
`,
    });
    const blueprint = {
      imports: [clusterImport],
      deployExecutions: deployItems(
        manifestItem({ name: "manifests", manifests: [configMap("of-the-manifest", { text: "applied" })] }),
        { ...helmItem({ namespace: "default", config: { chart, values: { text: "released" } } }), name: "release" },
        mockItem("mock"),
      ),
    };
    const folder = join(dirname(cluster.file("target", cluster.environment.targetKubeconfig)), "hello");
    mkdirSync(folder);
    writeFileSync(join(folder, "blueprint.yaml"), blueprintYaml(blueprint));
    const target = `cluster=${join(dirname(folder), "target")}`;
    const said = await cluster.landscaper("install", folder, "--name", "hello", "--target", target, "-n", "default");
    expect(said).toContain("installation/hello succeeded");

    const { client } = cluster.environment;
    const textOf = async (name: string): Promise<string | undefined> =>
      (await client.find(kubeResources.configMap, { namespace: "default", name }))?.data?.["text"];
    expect(await Promise.all(["of-the-manifest", "of-the-chart"].map(textOf))).toEqual(["applied", "released"]);

    await cluster.landscaper("delete", "inst/hello", "--wait", "-n", "default");
    expect(await Promise.all(["of-the-manifest", "of-the-chart"].map(textOf))).toEqual([undefined, undefined]);
    const kinds: readonly ResourceType[] = [resources.installation, resources.execution, resources.deployItem];
    for (const type of kinds) {
      expect((await client.list(type, {})).items).toEqual([]);
    }
    const records = await client.list(kubeResources.secret, { namespace: "default", labelSelector: "owner=helm" });
    expect(records.items).toEqual([]);
  }, 300_000);

  it("share nothing when one chart is installed twice, for two kinds of Targets", async () => {
    const { environment, helm } = cluster;
    const colours = ["blue", "green"] as const;
    const target = (colour: string): Readonly<Record<string, string>> => ({ "example.com/colour": colour });
    const selector = (colour: string): Values => ({
      deployer: { targetSelector: [{ annotations: [{ key: "example.com/colour", operator: "=", values: [colour] }] }] },
    });
    // That of the stack acts for all Targets.
    await cluster.deploy("landscaper", "landscaper-stack", { enabled: { manifestDeployer: false } });
    for (const colour of colours) await cluster.deploy(colour, "manifest-deployer", selector(colour));

    const objectsOf = async (release: string): Promise<string[]> =>
      parseAllDocuments(await helm.run("get", "manifest", release))
        .map((document) => document.toJS() as KubeObject | null)
        .filter((object) => object !== null)
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const [blue = [], green = []] = await Promise.all(colours.map(objectsOf));
    expect(blue.length).toBeGreaterThan(5);
    expect(blue.filter((object) => green.includes(object))).toEqual([]);

    const scope = await environment.namespace("colours");
    const install = async (name: string, colour: string): Promise<string | undefined> => {
      const wanted = scope.target(colour);
      await scope.apply({
        ...wanted,
        metadata: { ...wanted.metadata, annotations: target(colour) },
      });
      await scope.apply(
        itemsInstallation([manifestItem({ manifests: [configMap(`of-${name}`, { colour })] })], {
          name,
          target: colour,
        }),
      );
      await scope.waitForPhase(name, "Succeeded");
      const [item] = (await scope.deployItems(name)).values();
      // IDENTITY/POD
      return item?.status?.deployer?.identity?.split("/")[0];
    };
    for (const colour of colours) {
      expect(await install(`first-${colour}`, colour)).toBe(`${systemNamespace}.${colour}-manifest-deployer`);
    }
    await helm.run("uninstall", "blue", "--wait");
    expect(await install("second-green", "green")).toBe(`${systemNamespace}.green-manifest-deployer`);
    await helm.run("uninstall", "green", "--wait");
  }, 600_000);

  it("leave nothing in the namespace when helm uninstalls them", async () => {
    const left = async (type: ResourceType): Promise<string[]> =>
      (await cluster.environment.client.list(type, { namespace: systemNamespace })).items.map(
        ({ metadata }) => `${type.kind} ${metadata.name}`,
      );
    await cluster.helm.run("uninstall", "landscaper", "--wait", "--timeout", "120s");
    const kinds: readonly ResourceType[] = [kubeResources.deployment, kubeResources.secret, kubeResources.pod];
    for (const type of kinds) {
      // helm waits for Deployments; their pods end a moment later.
      await waitFor(async () => (await left(type)).length === 0).catch(() => undefined);
      expect(await left(type)).toEqual([]);
    }
  }, 300_000);
});
