// Releases that the real helm and our libraries work on in turns: each goes on with what the other has left.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type ResourceType, type UnstructuredObject } from "@landscaper/api";
import { OurHelm } from "../../helm-releases/our-helm.ts";
import { createRealHelm, type RealHelm } from "../../helm-releases/real-helm.ts";
import { writeChart, type ChartFolder } from "../../helm-releases/write-chart.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const name = "shop";

describe.each(clustersUnderTest())("releases on %s", (clusterName) => {
  let cluster: TestCluster;
  let chart: ChartFolder;
  let namespace: string;
  let helm: RealHelm;
  let ours: OurHelm;
  let count = 0;

  beforeAll(async () => {
    chart = writeChart();
    cluster = await startTestCluster(clusterName, { workloads: true });
  });
  afterAll(async () => {
    chart?.dispose();
    await cluster?.stop();
  });
  beforeEach(async () => {
    namespace = `releases-${++count}`;
    await cluster.client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    helm = createRealHelm(cluster.kubeconfig, namespace);
    ours = new OurHelm(cluster.client, { name, namespace, chart: chart.path });
  });
  afterEach(() => helm.dispose());

  type Values = Readonly<Record<string, string | number | boolean>>;
  const flags = (values: Values): string[] =>
    Object.entries(values).flatMap(([key, value]) => ["--set", `${key}=${value}`]);

  /** One and the same operation by either. */
  const players = {
    real: {
      deploy: async (values: Values) =>
        helm.run("upgrade", "--install", "--reset-values", name, chart.path, ...flags(values)),
      rollback: async (version: number) => helm.run("rollback", name, String(version)),
      uninstall: async () => helm.run("uninstall", name, "--wait"),
    },
    ours: {
      deploy: async (values: Values) => ours.deploy(values),
      rollback: async (version: number) => ours.rollback(version),
      uninstall: async () => ours.uninstall(),
    },
  };
  type Player = keyof typeof players;
  const turns: readonly (readonly [Player, Player])[] = [
    ["real", "ours"],
    ["ours", "real"],
    ["ours", "ours"],
    ["real", "real"],
  ];

  /** What both must leave alike: objects without what differs between any two runs. */
  async function objects(): Promise<unknown> {
    const core = { group: "", version: "v1", namespaced: true };
    const types: readonly ResourceType<UnstructuredObject>[] = [
      { ...core, kind: "ConfigMap", plural: "configmaps" },
      { ...core, kind: "Secret", plural: "secrets" },
      { group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true },
    ];
    const lists = await Promise.all(types.map(async (type) => cluster.client.list(type, { namespace })));
    return lists.flatMap(({ items }, index) =>
      items
        .filter(({ metadata, type }) => metadata.name !== "kube-root-ca.crt" && type !== "helm.sh/release.v1")
        .map(({ metadata: { name: object, labels, annotations }, data, spec }) => {
          const {
            "deployment.kubernetes.io/revision": _revision,
            "meta.helm.sh/release-namespace": _namespace,
            ...marks
          } = annotations ?? {};
          return { kind: types[index]?.kind ?? "", object, labels, marks, data, spec };
        }),
    );
  }

  async function statuses(): Promise<string[]> {
    const history = await ours.history();
    return history.map(({ version, info }) => `${version} ${info.status}: ${info.description}`);
  }

  const results = new Map<string, unknown>();
  /** Expects the same result of a step from the real helm and from our library. */
  function expectAlike(step: string, found: unknown): void {
    if (!results.has(step)) results.set(step, found);
    expect({ step, found }).toEqual({ step, found: results.get(step) });
  }

  it.each(turns)(
    "%s installs, %s upgrades and removes objects that left the chart, in turns",
    async (first, second) => {
      await players[first].deploy({});
      expectAlike("installed", await objects());
      await players[second].deploy({ text: "with more", replicas: 2, hasSecret: false });
      expectAlike("upgraded", await objects());
      await players[first].deploy({ text: "less" });
      expectAlike("upgraded again", await objects());
      await players[second].rollback(2);
      expectAlike("rolled back", await objects());
      await players[first].rollback(1);
      expectAlike("rolled back again", await objects());
      expectAlike("history", await statuses());
      expectAlike("records", await records());
      await players[second].uninstall();
      expect([await objects(), await ours.history()]).toEqual([[], []]);
    },
  );

  it("the real helm goes on where we have applied on the server, and we go on after it", async () => {
    const applied = { serverSideApply: {} };
    await ours.deploy({}, applied);
    expectAlike("installed", await objects());
    await players.real.deploy({ text: "with more", replicas: 2, hasSecret: false });
    expectAlike("upgraded", await objects());
    await ours.deploy({ text: "less" }, applied);
    expectAlike("upgraded again", await objects());
    await players.real.rollback(2);
    expectAlike("rolled back", await objects());
    await ours.deploy({}, applied);
    const installed = JSON.stringify(results.get("installed")).replace('"revision":"1"', '"revision":"5"');
    expect(await objects()).toEqual(JSON.parse(installed));
    await players.real.uninstall();
    expect([await objects(), await ours.history()]).toEqual([[], []]);
  });

  /** Records as the real helm shows them. */
  async function records(): Promise<unknown> {
    const show = async (...args: string[]): Promise<string> =>
      (await helm.run(...args)).replace(/^LAST DEPLOYED: .*$/m, "");
    return {
      manifest: await show("get", "manifest", name, "--revision", "2"),
      hooks: await show("get", "hooks", name, "--revision", "1"),
      values: await show("get", "values", name, "--revision", "2"),
      all: await show("get", "values", name, "--all"),
      notes: await show("get", "notes", name, "--revision", "1"),
      metadata: (await show("get", "metadata", name)).replace(/^(NAMESPACE|DEPLOYED_AT): .*$/gm, ""),
      status: (await show("status", name)).replace(/^NAMESPACE: .*$/m, ""),
      list: JSON.parse(await helm.run("list", "-o", "json")).map(
        ({ namespace: _namespace, updated: _updated, ...rest }: Record<string, unknown>) => rest,
      ),
    };
  }

  it.each(turns)("%s fails to upgrade, %s repairs the release", async (first, second) => {
    await players[first].deploy({});
    await expect(players[first].deploy({ isBroken: true, text: "broken" })).rejects.toThrow("NOT-A-NAME");
    expect((await statuses()).map((status) => status.split(":")[0])).toEqual(["1 deployed", "2 failed"]);
    await players[second].deploy({ text: "right" });
    expectAlike("repaired", await objects());
    expect((await statuses()).map((status) => status.split(":")[0])).toEqual([
      "1 superseded",
      "2 failed",
      "3 deployed",
    ]);
  });

  it.each(["pending-install", "pending-upgrade", "pending-rollback"] as const)(
    "our library continues a release that is %s, and the real helm then upgrades it",
    async (status) => {
      await players.real.deploy({});
      await ours.mark(1, status);
      await expect(players.real.deploy({ text: "blocked" })).rejects.toThrow(
        "another operation (install/upgrade/rollback) is in progress",
      );
      await players.ours.deploy({ text: "on" });
      await players.real.deploy({ text: "further" });
      expect((await statuses()).map((each) => each.split(":")[0])).toEqual([
        "1 superseded",
        "2 superseded",
        "3 deployed",
      ]);
    },
  );
});
