// What `helm --wait` waits for: both real versions and our library beside the recorded answers, on the real API server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type CustomResourceDefinition, type WaitStrategy } from "@landscaper/api";
import { describeUnless, waitFor } from "@landscaper/testkit";
import {
  playerOf,
  playWait,
  type WaitAnswer,
  type WaitFlags,
  type WaitingCase,
  type Who,
} from "../../helm-releases/waiting-players.ts";
import { casesOfRun, clustersUnderTest, isWholeRun } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const file = join(import.meta.dirname, "../../../libs/resources/testdata/helm-waiting.json");
const all = JSON.parse(readFileSync(file, "utf8")) as readonly WaitingCase[];
const suite = "oracles/helm-waiting";
// Each case takes some seconds of several processes.
const cases = casesOfRun(suite, all).filter((_, index) => isWholeRun(suite) || index % 6 === 0);

/** Not played here: the second definition of a race, and the state of a Pod after 15 seconds. */
const left = new Set(["CustomResourceDefinition, names not accepted", "Pod, unschedulable"]);
/** Intended differences of the library, as in the table test of libs/resources. */
const ours: Readonly<Record<string, WaitAnswer>> = {
  "ReplicationController, no pods: legacy": "waits",
  "Pod, failed: watcher": "fails",
  "Pod, failed, no conditions: watcher": "fails",
};

const strategies: readonly WaitStrategy[] = ["legacy", "watcher", "hookOnly"];
const playersOf: Readonly<Record<WaitStrategy, readonly Who[]>> = {
  legacy: ["3", "4", "ours"],
  watcher: ["4", "ours"],
  hookOnly: ["4", "ours"],
};

const isReal = clustersUnderTest().includes("real");

describeUnless(isReal ? undefined : "needs the real API server", describe)("waits of helm on real", () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startTestCluster("real", { isOwn: true });
    const { client } = cluster;
    await client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "waiting" },
    });
    await client.create(kubeResources.customResourceDefinition, widgets);
    const account = { namespace: "waiting", name: "default" };
    await waitFor(async () => await client.find(kubeResources.serviceAccount, account));
  });
  afterAll(async () => cluster?.stop());

  it.each(cases.filter(({ name }) => !left.has(name)))("$name", async (row) => {
    const index = all.indexOf(row);
    const played = playsOf(row).map(async ({ who, flags, expected }) => {
      const name = `w${index}${who}${flags.strategy.toLowerCase()}${flags.waitForJobs ? "j" : ""}`;
      const player = playerOf(who, flags, { ...cluster, namespace: "waiting", name });
      const wanted = who === "ours" ? (ours[`${row.name}: ${flags.strategy}`] ?? expected) : expected;
      return [labelOf(who, flags), await playWait(row, player, { client: cluster.client, name }), wanted] as const;
    });
    const results = await Promise.all(played);
    expect(results.map(([label, answer]) => [label, answer])).toEqual(
      results.map(([label, , wanted]) => [label, wanted]),
    );
  });
});

interface Play {
  readonly who: Who;
  readonly flags: WaitFlags;
  readonly expected: WaitAnswer;
}

function playsOf({ answers }: WaitingCase): Play[] {
  return strategies.flatMap((strategy) =>
    [false, true].flatMap((waitForJobs) => {
      const expected = answers[`${strategy}${waitForJobs ? "WithJobs" : ""}`];
      if (expected === undefined) return [];
      return playersOf[strategy].map((who) => ({ who, flags: { strategy, waitForJobs }, expected }));
    }),
  );
}

function labelOf(who: string, { strategy, waitForJobs }: WaitFlags): string {
  return `${who}: ${strategy}${waitForJobs ? " with Jobs" : ""}`;
}

const widgets: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
