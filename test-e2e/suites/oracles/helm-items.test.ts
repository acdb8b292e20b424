// One chart, deployed by a version of the real helm and by an item with the same helmVersion: objects, the order of writes, and records are equal.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type ResourceType, type UnstructuredObject } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture } from "@landscaper/deployer/testing";
import { createHelmDeployer, type HelmDeployer } from "@landscaper/helm-deployer-lib";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { describeUnless } from "@landscaper/testkit";
import {
  createPlayer,
  readObjects,
  readRecords,
  watchWrites,
  type ReleasePlayer,
  type Variant,
  type Who,
  type Write,
} from "../../helm-releases/release-players.ts";
import { richChart } from "../../helm-releases/rich-chart.ts";
import { writeChart, type ChartFolder } from "../../helm-releases/write-chart.ts";
import { oracleAbsence } from "../../oracles/build-oracle.ts";
import { casesOfRun } from "../../src/clusters/selected-clusters.ts";

const admission = { group: "admissionregistration.k8s.io", version: "v1", namespaced: false };
const types: readonly ResourceType<UnstructuredObject>[] = [
  { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true },
  { group: "", version: "v1", kind: "Service", plural: "services", namespaced: true },
  { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true },
  { group: "apps", version: "v1", kind: "Deployment", plural: "deployments", namespaced: true },
  { ...admission, kind: "MutatingWebhookConfiguration", plural: "mutatingwebhookconfigurations" },
  { ...admission, kind: "ValidatingWebhookConfiguration", plural: "validatingwebhookconfigurations" },
  { group: "example.org", version: "v1", kind: "Widget", plural: "widgets", namespaced: true },
];

const variants: readonly Variant[] = [
  { version: "3", method: "csa" },
  { version: "4", method: "csa" },
  { version: "4", method: "ssa" },
];

const absence = oracleAbsence("helm") ?? oracleAbsence("helm4");

describeUnless(absence, describe)("an item and the real helm", () => {
  let fixture: DeployerFixture;
  let deployer: HelmDeployer;
  let folder: ChartFolder;
  let packed: object;
  let count = 0;

  beforeAll(async () => {
    // The real helm reads a folder in this order.
    const sorted = Object.fromEntries(Object.entries(richChart).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    folder = writeChart(sorted);
    packed = await rawChart(sorted, { name: "rich" });
    fixture = await createDeployerFixture();
    deployer = createHelmDeployer({ version: "v0.0.0-test" });
    fixture.start({ deployer });
  });
  afterAll(async () => {
    await fixture?.stop();
    await deployer?.close();
    folder?.dispose();
  });

  /** Plays the same with the real helm and with an item, one after the other: the chart has objects of the whole cluster. */
  async function playBoth<T>(variant: Variant, play: (player: ReleasePlayer) => Promise<T>): Promise<Record<Who, T>> {
    const playOne = async (who: Who): Promise<T> => {
      const namespace = `items-${++count}`;
      const chart = { path: folder.path, packed };
      using player = await createPlayer(who, { fixture, namespace, chart, variant });
      const result = await play(player);
      await removeDefinitions();
      return result;
    };
    const real = await playOne("real");
    return { real, item: await playOne("item") };
  }

  async function removeDefinitions(): Promise<void> {
    const { items } = await fixture.targetClient.list(kubeResources.customResourceDefinition, {});
    for (const {
      metadata: { name = "" },
    } of items) {
      if (name.endsWith(".example.org"))
        await fixture.targetClient.delete(kubeResources.customResourceDefinition, { name });
    }
  }

  const objectsOf = async ({ namespace }: ReleasePlayer) => await readObjects(fixture, types, namespace);
  const recordsOf = async ({ namespace }: ReleasePlayer) => await readRecords(fixture, namespace);

  it.each(casesOfRun("oracles/helm-items", variants))(
    "leave equal objects and records, in the same order, as Helm $version with $method",
    async (variant) => {
      const { real, item } = await playBoth(variant, async (player) => {
        const writes = watchWrites(fixture);
        const errors = [await player.deploy({ text: "one" })];
        const installed = { kinds: kindsOf(writes.take()), objects: await objectsOf(player) };
        errors.push(await player.deploy({ text: "two", hasMore: false }));
        const upgraded = { kinds: kindsOf(writes.take()), objects: await objectsOf(player) };
        const records = await recordsOf(player);
        const shown = await show(player);
        // The real helm rolls back what either has deployed.
        await player.helm.run("rollback", "app", "1");
        const rolledBack = { objects: await objectsOf(player), records: await recordsOf(player) };
        writes.take();
        await player.uninstall();
        const left = await objectsOf(player);
        return { errors, installed, upgraded, records, shown, rolledBack, uninstalled: kindsOf(writes.take()), left };
      });
      expect(item).toEqual(real);
    },
  );
});

/** What the real helm shows, without the line of the time. */
async function show({ helm, namespace }: ReleasePlayer): Promise<readonly string[]> {
  const texts = [
    await helm.run("get", "all", "app"),
    await helm.run("get", "manifest", "app", "--revision", "1"),
    await helm.run("history", "app"),
  ];
  return texts.map((text) =>
    text.replaceAll(namespace, "NAMESPACE").replaceAll(/\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}/g, "TIME"),
  );
}

/** Kinds in the order in which they were written or deleted. Hooks are ConfigMaps: their order is that of the records. */
function kindsOf(writes: readonly Write[]): string[] {
  const kinds = writes
    .filter(({ resource }) => resource !== "configmaps")
    .map(({ verb, resource }) => `${verb} ${resource}`);
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
}
