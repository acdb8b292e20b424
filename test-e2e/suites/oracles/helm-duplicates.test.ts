// Charts that have an object twice, deployed by the real helm and by our libraries.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type ConfigMap } from "@landscaper/api";
import { OurHelm } from "../../helm-releases/our-helm.ts";
import { createRealHelm } from "../../helm-releases/real-helm.ts";
import { writeChart, type ChartFolder } from "../../helm-releases/write-chart.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const name = "shop";

const configMap = (data: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: twice }
data: ${data}
`;

const chartOf = (copies: readonly string[]): ChartFolder =>
  writeChart({
    "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    ...Object.fromEntries(copies.map((data, index) => [`templates/${index}.yaml`, configMap(data)])),
  });

describe.each(clustersUnderTest())("a chart that has an object twice, on %s", (clusterName) => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startTestCluster(clusterName);
  });
  afterAll(async () => cluster?.stop());

  let count = 0;
  /** Returns for each revision whether it was deployed, and the data of the object afterwards. */
  async function play(player: "real" | "ours", revisions: readonly (readonly string[])[]): Promise<readonly unknown[]> {
    const namespace = `duplicates-${++count}`;
    const metadata = { name: namespace };
    await cluster.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
    const results: unknown[] = [];
    for (const texts of revisions) {
      const chart = chartOf(texts);
      const helm = createRealHelm(cluster.kubeconfig, namespace);
      const deploy =
        player === "real"
          ? helm.run("upgrade", "--install", name, chart.path)
          : new OurHelm(cluster.client, { name, namespace, chart: chart.path }).deploy({});
      const outcome = await deploy.then(
        () => "deployed",
        () => "refused",
      );
      const found = await cluster.client.find<ConfigMap>(kubeResources.configMap, { namespace, name: "twice" });
      results.push(outcome === "deployed" ? found?.data : outcome);
      chart.dispose();
      helm.dispose();
    }
    return results;
  }

  it.each<[string, readonly (readonly string[])[], readonly unknown[]]>([
    ["is refused at its first install", [["{ text: a }", "{ text: b }"]], ["refused"]],
    ["is refused at its first install even if the copies are equal", [["{ text: a }", "{ text: a }"]], ["refused"]],
    [
      "gets the last copy at an upgrade, with what the first one adds",
      [["{ text: a }"], ["{ text: b, first: x }", "{ text: c, second: z }"]],
      [{ text: "a" }, { text: "c", first: "x", second: "z" }],
    ],
    [
      "gets the copy that is left",
      [["{ text: a }"], ["{ text: b }", "{ text: c }"], ["{ text: d }"]],
      [{ text: "a" }, { text: "c" }, { text: "d" }],
    ],
    [
      "keeps the last copy if only the first one changes",
      [["{ text: a }"], ["{ text: b }", "{ text: c }"], ["{ text: d }", "{ text: c }"]],
      [{ text: "a" }, { text: "c" }, { text: "c" }],
    ],
  ])("%s", async (...[, revisions, expected]) => {
    expect(await play("real", revisions)).toEqual(expected);
    expect(await play("ours", revisions)).toEqual(expected);
  });
});
