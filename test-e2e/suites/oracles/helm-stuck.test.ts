// Releases that the real helm has left half-way, killed in the middle of its work: we go on with them, and then the real helm does.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { OurHelm } from "../../helm-releases/our-helm.ts";
import { createRealHelm, type RealHelm } from "../../helm-releases/real-helm.ts";
import { stuckChart } from "../../helm-releases/stuck-chart.ts";
import { writeChart, type ChartFolder } from "../../helm-releases/write-chart.ts";
import { clustersForClients } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const name = "app";
const jobs = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true };
const time = "2026-01-01T00:00:00Z";
const conditions = [
  { type: "SuccessCriteriaMet", status: "True", reason: "CompletionsReached", lastTransitionTime: time },
  { type: "Complete", status: "True", reason: "CompletionsReached", lastTransitionTime: time },
];

describe.each(clustersForClients("oracles/helm-stuck"))("stuck releases on %s", (clusterName) => {
  let cluster: TestCluster;
  let chart: ChartFolder;
  let namespace: string;
  let helm: RealHelm;
  let inConfigMaps: RealHelm;
  let ours: OurHelm;
  let count = 0;

  beforeAll(async () => {
    chart = writeChart(stuckChart);
    cluster = await startTestCluster(clusterName);
  });
  afterAll(async () => {
    chart?.dispose();
    await cluster?.stop();
  });
  beforeEach(async () => {
    namespace = `stuck-${++count}`;
    const metadata = { name: namespace };
    await cluster.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
    helm = createRealHelm(cluster.kubeconfig, namespace);
    inConfigMaps = createRealHelm(cluster.kubeconfig, namespace, { driver: "configmap" });
    ours = new OurHelm(cluster.client, { name, namespace, chart: chart.path, meanwhile: endJobs });
  });
  afterEach(() => {
    helm.dispose();
    inConfigMaps.dispose();
  });

  /** Nobody else runs Jobs here. */
  async function endJobs(): Promise<void> {
    const { items } = await cluster.client.list<UnstructuredObject>(jobs, { namespace });
    for (const job of items.filter(({ status }) => !JSON.stringify(status ?? {}).includes("Complete"))) {
      const status = { startTime: time, completionTime: time, succeeded: 1, conditions };
      await cluster.client.updateStatus(jobs, { ...job, status });
    }
  }

  const flags = (values: Readonly<Record<string, string>>): string[] => [
    chart.path,
    ...Object.entries(values).flatMap(([key, value]) => ["--set", `${key}=${value}`]),
  ];

  /** The real helm is killed while it waits for the Job of its hook. */
  const killAtHook = async (...args: readonly string[]): Promise<void> => killOneAtHook(helm, args);

  async function killOneAtHook(command: RealHelm, args: readonly string[]): Promise<void> {
    const running = command.start(...args);
    const hasJob = async (): Promise<true> => {
      const { items } = await cluster.client.list(jobs, { namespace });
      if (items.length > 0) return true;
      throw new Error("there is no Job yet");
    };
    try {
      await waitFor(hasJob, { intervalMs: 20 });
    } finally {
      await running.kill();
    }
  }

  async function statuses(): Promise<string[]> {
    return (await ours.history()).map(({ version, info }) => `${version} ${info.status}`);
  }

  /** Names of the release's ConfigMaps, with their texts. */
  async function maps(): Promise<string[]> {
    const { items } = await cluster.client.list(kubeResources.configMap, { namespace });
    const own = items.filter(({ metadata }) => metadata.labels?.["app.kubernetes.io/managed-by"] === "Helm");
    return own.map(({ metadata, data }) => `${metadata.name} ${data?.["text"]}`).toSorted();
  }

  async function spoilNewest(): Promise<void> {
    const [newest] = (await ours.history()).toReversed();
    const key = { namespace, name: `sh.helm.release.v1.${name}.v${newest?.version}` };
    const secret = await cluster.client.get(kubeResources.secret, key);
    await cluster.client.update(kubeResources.secret, { ...secret, data: { release: "SDRzSUFBQUE=" } });
  }

  interface State {
    readonly state: string;
    make(): Promise<void>;
    /** What the records say when it is made. */
    readonly left: readonly string[];
    /** Of the real helm, asked to upgrade then; undefined: it can. */
    readonly helmSays?: string;
    /** Records after our deployment. */
    readonly deployed: readonly string[];
    /** Records after our rollback to the oldest revision. */
    readonly rolledBack: readonly string[];
    /** Its error, when the revision cannot be applied. */
    readonly rollbackSays?: string;
    readonly isInConfigMaps?: boolean;
  }

  const blocked = "another operation (install/upgrade/rollback) is in progress";
  const states: readonly State[] = [
    {
      state: "pending-install",
      make: async () => killAtHook("install", name, ...flags({ waitAt: "pre-install", extra: "left" })),
      left: ["1 pending-install"],
      helmSays: blocked,
      deployed: ["1 superseded", "2 deployed"],
      rolledBack: ["1 failed", "2 deployed"],
    },
    {
      state: "pending-install, with its objects",
      make: async () => killAtHook("install", name, ...flags({ waitAt: "post-install", extra: "left" })),
      left: ["1 pending-install"],
      helmSays: blocked,
      deployed: ["1 superseded", "2 deployed"],
      rolledBack: ["1 failed", "2 deployed"],
    },
    {
      state: "pending-upgrade, with its objects",
      async make() {
        await helm.run("install", name, ...flags({}));
        await killAtHook("upgrade", name, ...flags({ waitAt: "post-upgrade", extra: "left", text: "half" }));
      },
      left: ["1 deployed", "2 pending-upgrade"],
      helmSays: blocked,
      deployed: ["1 superseded", "2 failed", "3 deployed"],
      rolledBack: ["1 superseded", "2 failed", "3 deployed"],
    },
    {
      state: "pending-rollback",
      async make() {
        await helm.run("install", name, ...flags({ waitAt: "post-rollback" }));
        await helm.run("upgrade", name, ...flags({ extra: "left", text: "next" }));
        await killAtHook("rollback", name, "1");
      },
      left: ["1 superseded", "2 deployed", "3 pending-rollback"],
      helmSays: blocked,
      deployed: ["1 superseded", "2 superseded", "3 failed", "4 deployed"],
      rolledBack: ["1 superseded", "2 superseded", "3 failed", "4 deployed"],
    },
    {
      state: "uninstalling",
      async make() {
        await helm.run("install", name, ...flags({ waitAt: "pre-delete", extra: "left" }));
        await killAtHook("uninstall", name);
      },
      left: ["1 uninstalling"],
      deployed: ["1 deployed"],
      rolledBack: ["1 failed", "2 deployed"],
    },
    {
      state: "uninstalled, with its history",
      async make() {
        await helm.run("install", name, ...flags({}));
        await helm.run("uninstall", name, "--keep-history", "--wait");
      },
      left: ["1 uninstalled"],
      deployed: ["1 uninstalled", "2 deployed"],
      rolledBack: ["1 uninstalled", "2 deployed"],
    },
    {
      state: "a first install that failed",
      async make() {
        await expect(helm.run("install", name, ...flags({ isBroken: "true", extra: "left" }))).rejects.toThrow(
          "NOT-A-NAME",
        );
      },
      left: ["1 failed"],
      deployed: ["1 superseded", "2 deployed"],
      rolledBack: ["1 failed", "2 failed"],
      rollbackSays: "NOT-A-NAME",
    },
    {
      state: "superseded only",
      async make() {
        await helm.run("install", name, ...flags({}));
        await helm.run("upgrade", name, ...flags({ text: "next" }));
        const key = { namespace, name: `sh.helm.release.v1.${name}.v2` };
        await cluster.client.delete(kubeResources.secret, key);
      },
      left: ["1 superseded"],
      deployed: ["1 superseded", "2 deployed"],
      rolledBack: ["1 superseded", "2 deployed"],
    },
    {
      state: "a newest record that cannot be read",
      async make() {
        await helm.run("install", name, ...flags({}));
        await helm.run("upgrade", name, ...flags({ extra: "left", text: "next" }));
        await spoilNewest();
      },
      left: ["1 superseded", "2 deployed"],
      helmSays: "already exists",
      deployed: ["1 superseded", "2 superseded", "3 deployed"],
      rolledBack: ["1 superseded", "2 superseded", "3 deployed"],
    },
    {
      state: "records in ConfigMaps",
      async make() {
        await inConfigMaps.run("install", name, ...flags({}));
        await inConfigMaps.run("upgrade", name, ...flags({ extra: "left", text: "next" }));
      },
      left: ["1 superseded", "2 deployed"],
      deployed: ["1 superseded", "2 superseded", "3 deployed"],
      rolledBack: ["1 superseded", "2 superseded", "3 deployed"],
      isInConfigMaps: true,
    },
  ];

  describe.each(states)("$state", (stuck) => {
    const { left, helmSays, deployed, rolledBack, rollbackSays, isInConfigMaps = false } = stuck;

    const real = (): RealHelm => (isInConfigMaps ? inConfigMaps : helm);

    /** The real helm finds all in order, and goes on. */
    async function expectInOrder(text: string): Promise<void> {
      const listed = JSON.parse(await real().run("list", "--all", "-o", "json")) as { status: string }[];
      expect(listed.map(({ status }) => status)).toEqual(["deployed"]);
      expect(await maps()).toEqual([`${name}-config ${text}`]);
      await real().run("upgrade", name, ...flags({ text: "by helm" }));
      expect((await statuses()).at(-1)).toContain("deployed");
      expect(await maps()).toEqual([`${name}-config by helm`]);
      await real().run("uninstall", name, "--wait");
      expect([await maps(), await real().run("list", "--all", "-q")]).toEqual([[], ""]);
    }

    it("is deployed by us, and gone on with by the real helm", async () => {
      await stuck.make();
      expect(await statuses()).toEqual(left);
      if (helmSays !== undefined) {
        await expect(real().run("upgrade", "--install", name, ...flags({ text: "blocked" }))).rejects.toThrow(helmSays);
      }
      await ours.deploy({ text: "ours" }, { abandonedAfterMs: 0 });
      expect(await statuses()).toEqual(deployed);
      await expectInOrder("ours");
    });

    it("is rolled back by us, and gone on with by the real helm", async () => {
      await stuck.make();
      if (rollbackSays === undefined) await ours.rollback(1);
      else await expect(ours.rollback(1)).rejects.toThrow(rollbackSays);
      expect(await statuses()).toEqual(rolledBack);
      // Else the revision has more than the text.
      if (left[0] === "1 superseded" || left[0] === "1 deployed") await expectInOrder("default");
    });

    it("is uninstalled by us, and nothing is left", async () => {
      await stuck.make();
      await ours.uninstall();
      expect([await maps(), await statuses(), await real().run("list", "--all", "-q")]).toEqual([[], [], ""]);
    });
  });

  it.each(["pre-upgrade", "post-upgrade"])(
    "a release that Helm 4 has left pending at a %s hook is deployed by us, and upgraded by Helm 4",
    async (waitAt) => {
      const helm4 = createRealHelm(cluster.kubeconfig, namespace, { version: "4" });
      try {
        await helm4.run("install", name, ...flags({}));
        await killOneAtHook(helm4, ["upgrade", name, ...flags({ waitAt, extra: "left", text: "half" })]);
        expect(await statuses()).toEqual(["1 deployed", "2 pending-upgrade"]);
        await expect(helm4.run("upgrade", name, ...flags({ text: "blocked" }))).rejects.toThrow(blocked);
        await ours.deploy({ text: "ours" }, { abandonedAfterMs: 0, serverSideApply: {} });
        expect([await statuses(), await maps()]).toEqual([
          ["1 superseded", "2 failed", "3 deployed"],
          [`${name}-config ours`],
        ]);
        await helm4.run("upgrade", name, ...flags({ text: "by helm" }));
        const methods = (await ours.history()).map(({ apply_method: method }) => method);
        expect([methods, await maps()]).toEqual([["ssa", "ssa", "ssa", "ssa"], [`${name}-config by helm`]]);
      } finally {
        helm4.dispose();
      }
    },
  );

  it("an operation of the real helm that is at work is waited for", async () => {
    await helm.run("install", name, ...flags({}));
    const running = helm.start("upgrade", name, ...flags({ waitAt: "pre-upgrade", text: "by helm" }));
    await waitFor(async () => {
      expect(await statuses()).toEqual(["1 deployed", "2 pending-upgrade"]);
      expect((await cluster.client.list(jobs, { namespace })).items).toHaveLength(1);
      return true;
    });
    // While we wait the Job ends (see endJobs), and helm with it.
    await ours.deploy({ text: "ours" });
    expect([await running.ended, await statuses(), await maps()]).toEqual([
      undefined,
      ["1 superseded", "2 superseded", "3 deployed"],
      [`${name}-config ours`],
    ]);
  });

  it("the real helm refuses to begin while we are at work", async () => {
    await helm.run("install", name, ...flags({}));
    let said = "";
    const busy = new OurHelm(cluster.client, {
      name,
      namespace,
      chart: chart.path,
      async meanwhile() {
        said ||= await helm.run("upgrade", name, ...flags({})).then(String, String);
        await endJobs();
      },
    });
    await busy.deploy({ text: "ours", waitAt: "pre-upgrade" });
    expect([said, await statuses()]).toEqual([expect.stringContaining(blocked), ["1 superseded", "2 deployed"]]);
  });
});
