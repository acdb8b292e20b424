// Hooks as the real helm runs them and as we do: what stays of them, what the records tell, and what the next run makes of what is left.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { setTimeout as sleep } from "node:timers/promises";
import { hookChart } from "../../helm-releases/hook-chart.ts";
import { OurHelm } from "../../helm-releases/our-helm.ts";
import { createRealHelm, type RealHelm } from "../../helm-releases/real-helm.ts";
import { writeChart, type ChartFolder } from "../../helm-releases/write-chart.ts";
import { clustersForClients } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const name = "app";
const jobs = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true };
const time = "2026-01-01T00:00:00Z";
const holds = (type: string, reason: string): object => ({ type, status: "True", reason, lastTransitionTime: time });
const completed = {
  startTime: time,
  completionTime: time,
  succeeded: 1,
  conditions: [holds("SuccessCriteriaMet", "CompletionsReached"), holds("Complete", "CompletionsReached")],
};
const failed = {
  startTime: time,
  failed: 1,
  conditions: [holds("FailureTarget", "BackoffLimitExceeded"), holds("Failed", "BackoffLimitExceeded")],
};

describe.each(clustersForClients("oracles/helm-hooks"))("hooks on %s", (clusterName) => {
  let cluster: TestCluster;
  let chart: ChartFolder;
  let count = 0;
  let helm: RealHelm;
  let ours: OurHelm;
  let namespace: string;

  beforeAll(async () => {
    chart = writeChart(hookChart);
    cluster = await startTestCluster(clusterName);
  });
  afterAll(async () => {
    chart?.dispose();
    await cluster?.stop();
  });

  async function open(): Promise<void> {
    namespace = `hooks-${++count}`;
    const metadata = { name: namespace };
    await cluster.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
    helm?.dispose();
    helm = createRealHelm(cluster.kubeconfig, namespace);
    ours = new OurHelm(cluster.client, { name, namespace, chart: chart.path, meanwhile: endJobs });
  }
  beforeEach(open);
  afterEach(() => helm.dispose());

  /** Those whose name starts with "bad" fail. */
  async function endJobs(): Promise<void> {
    const { items } = await cluster.client.list<UnstructuredObject>(jobs, { namespace });
    for (const job of items.filter(
      ({ status }) =>
        !JSON.stringify(status ?? {}).includes("Reached") && !JSON.stringify(status ?? {}).includes("Exceeded"),
    )) {
      const status = job.metadata.name?.startsWith("bad") === true ? failed : completed;
      await cluster.client.updateStatus(jobs, { ...job, status }).catch(() => undefined);
    }
  }

  type Values = Readonly<Record<string, string | boolean>>;
  /** A comma would begin the next value. */
  const flags = (values: Values): string[] =>
    Object.entries(values).flatMap(([key, value]) => ["--set", `${key}=${String(value).replaceAll(",", "\\,")}`]);

  /** Jobs end while the real helm waits for them. */
  async function withJobs(work: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const done = work.finally(() => over.abort());
    const play = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await endJobs();
        await sleep(50);
      }
    };
    await Promise.all([done, play()]);
  }

  const players = {
    real: {
      deploy: async (values: Values) =>
        withJobs(helm.run("upgrade", "--install", "--reset-values", name, chart.path, ...flags(values))),
      uninstall: async () => withJobs(helm.run("uninstall", name, "--wait")),
    },
    ours: {
      deploy: async (values: Values) => ours.deploy(values),
      uninstall: async () => ours.uninstall(),
    },
  };

  async function endOf(work: Promise<unknown>): Promise<"ends well" | "fails"> {
    try {
      await work;
      return "ends well";
    } catch {
      return "fails";
    }
  }

  interface Found {
    readonly end: string;
    readonly jobs: readonly (string | undefined)[];
    readonly maps: readonly string[];
    readonly records: readonly object[];
  }

  /** What is there, and what the records tell. */
  async function found(): Promise<Omit<Found, "end">> {
    const { items } = await cluster.client.list<UnstructuredObject>(jobs, { namespace });
    const maps = (await cluster.client.list(kubeResources.configMap, { namespace })).items;
    const own = maps.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
    const history = await ours.history();
    return {
      jobs: items.map(({ metadata }) => metadata.name),
      maps: own.map(({ metadata, data }) => `${metadata.name} ${data?.["text"]}`),
      records: history.map(({ version, info, hooks }) => ({
        version,
        status: info.status,
        hooks: hooks.map(({ name: hook, last_run: { phase } }) => `${hook} ${phase}`),
      })),
    };
  }

  async function play(player: keyof typeof players, steps: readonly Values[]): Promise<Found[]> {
    await open();
    const results: Found[] = [];
    for (const values of steps) {
      const end = await endOf(players[player].deploy(values));
      results.push({ end, ...(await found()) });
    }
    const end = await endOf(players[player].uninstall());
    return [...results, { end, ...(await found()) }];
  }

  const policies = [
    "",
    "before-hook-creation",
    "hook-succeeded",
    "hook-failed",
    "hook-succeeded,hook-failed",
    "before-hook-creation,hook-succeeded",
    "before-hook-creation,hook-failed",
    "before-hook-creation,hook-succeeded,hook-failed",
  ];
  const courses = [
    { course: "that succeed, twice", jobs: ["good", "good"] },
    { course: "that fail after they have succeeded, and succeed again", jobs: ["good", "bad", "good"] },
    { course: "that fail at first, and again", jobs: ["bad", "bad"] },
  ];

  /** When a hook cannot be created the real helm forgets the policies of those before it, which are in its way the next time. */
  const leavesNote = (policy: string, steps: readonly string[]): boolean =>
    policy === "hook-succeeded" && steps[0] === "bad";
  const withoutNote = (result: Found): Found => ({
    ...result,
    maps: result.maps.filter((map) => !map.startsWith("note")),
  });

  describe.each(policies)("with delete policy '%s'", (policy) => {
    it.each(courses)(
      "$course leave the same objects with our library as with the real helm",
      async ({ jobs: steps }) => {
        const values = steps.map((job, index) => ({ job, policy, text: String(index) }));
        const [own, real] = [await play("ours", values), await play("real", values)];
        expect(own).toEqual(leavesNote(policy, steps) ? real.map(withoutNote) : real);
      },
    );
  });

  it.each([
    "post-install,post-upgrade",
    "pre-install,post-upgrade",
    "pre-delete",
    "post-delete",
    "pre-upgrade,post-delete",
  ])("of %s leave the same objects with our library as with the real helm", async (events) => {
    const steps = [{ events }, { events, text: "next" }];
    expect(await play("ours", steps)).toEqual(await play("real", steps));
  });

  it("what is kept stays, whoever takes it out of the chart", async () => {
    const steps = [{}, { hasKept: false }];
    expect(await play("ours", steps)).toEqual(await play("real", steps));
  });

  it("of one release run by either in turns are the same", async () => {
    const policy = "before-hook-creation,hook-succeeded";
    await players.real.deploy({ policy });
    await players.ours.deploy({ policy, text: "ours" });
    await expect(players.real.deploy({ policy, job: "bad" })).rejects.toThrow("BackoffLimitExceeded");
    await players.ours.deploy({ policy, text: "ours again" });
    await players.real.deploy({ policy, text: "real again" });
    const statuses = (await ours.history()).map(({ version, info }) => `${version} ${info.status}`);
    expect(statuses).toEqual(["1 superseded", "2 superseded", "3 failed", "4 superseded", "5 deployed"]);
    const { items } = await cluster.client.list(jobs, { namespace });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["bad"]);
  });
});
