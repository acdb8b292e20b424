import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, resources, type DeployItem, type Target } from "@landscaper/api";
import { startGardenerApi, type GardenerApi, type TestNamespace } from "@landscaper/testkit";
import { deployItems, installation, template, type TestItem } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";
import { kubeconfigSecret, startSync } from "../../test/target-sync-source.ts";
import { buildTarget, refToSecret } from "../target-sync/synced-objects.ts";
import { clusterNameOf } from "./cluster-names.ts";

describe("the cluster of a Target (core.md §1.1 no. 23)", () => {
  const made = buildTarget({ namespace: "ns", name: "a", secretRef: refToSecret("a") });
  const ofShoot = buildTarget({ namespace: "ns", name: "a", secretRef: refToSecret("a"), syncedAt: new Date(0) });
  const copy = { ...ofShoot, metadata: { ...ofShoot.metadata, name: "hash" } };
  const foreign = { ...ofShoot, metadata: { name: "a" } };
  const inline: Target = { ...ofShoot, spec: { type: "t", config: {} } };
  const gardener = kubeconfigSecret("a", "current-context: garden-dev--my-shoot-external");
  it.each<[name: string, target: Target, secret: typeof gardener | undefined, expected: string | undefined]>([
    ["that was made of a shoot", ofShoot, undefined, "a"],
    ["that is a copy of such a one", copy, undefined, "a"],
    ["that was made of a Secret with Gardener's kubeconfig", made, gardener, "my-shoot"],
    ["that was made of a Secret with another kubeconfig", made, kubeconfigSecret("a", "current-context: x"), undefined],
    ["whose Secret has no kubeconfig", made, kubeconfigSecret("a", "["), undefined],
    ["whose Secret has other entries", made, { ...gardener, data: {} }, undefined],
    ["whose Secret is gone", made, undefined, undefined],
    ["of somebody else", foreign, gardener, undefined],
    ["without Secret", inline, gardener, undefined],
  ])("%s", (...[, target, secret, expected]) => {
    expect(clusterNameOf(target, secret, "garden-dev")).toBe(expected);
  });
});

describe("onDelete.skipUninstallIfClusterRemoved (core.md §2.6)", () => {
  const setUp = setUpCore();
  let gardener: GardenerApi;
  beforeAll(async () => {
    gardener = await startGardenerApi();
  });
  afterAll(async () => gardener.stop());

  const setShoots = (project: string, names: readonly string[], more: { deletionTimestamp?: string } = {}): void => {
    gardener.setShoots(names.map((name) => ({ namespace: project, name, kubeconfig: "config", ...more })));
  };
  const skip = { onDelete: { skipUninstallIfClusterRemoved: true } };
  const importsCluster = { imports: [{ name: "cluster", type: "target", targetType: "kubernetes-cluster" }] };
  const cluster = { targets: [{ name: "cluster", target: "shoot-a" }] };

  /** An Installation whose item for the shoot is never uninstalled by its deployer. */
  async function install(project: string, item: Partial<TestItem>, isNested = false): Promise<TestNamespace> {
    setShoots(project, ["shoot-a"]);
    const namespace = await setUp.namespace(project);
    const fields = { shootNameExpression: "*", sourceNamespace: project };
    await startSync(namespace, { kubeconfig: gardener.kubeconfig, ...fields });
    await namespace.until(resources.target, "shoot-a", (found) => found !== undefined);
    const blueprint = {
      ...importsCluster,
      deploy: deployItems({ name: "item", target: { import: "cluster" }, deletion: "Hang", ...item }),
    };
    const inner = { targets: [{ name: "cluster", target: "cluster" }] };
    const nested = { ...importsCluster, subinstallations: [template({ name: "sub", blueprint, imports: inner })] };
    const root = installation({ name: "root", blueprint: isNested ? nested : blueprint, imports: cluster });
    await namespace.create(resources.installation, root);
    await namespace.untilPhase("root", "Succeeded");
    return namespace;
  }

  async function itemOf(namespace: TestNamespace): Promise<DeployItem> {
    const [item] = await namespace.list(resources.deployItem);
    if (item === undefined) throw new Error("there is no deploy item");
    return item;
  }

  it.each([false, true])("marks the item with its cluster, nested: %s", async (isNested) => {
    const namespace = await install(`marked-${isNested}`, skip, isNested);
    expect((await itemOf(namespace)).metadata.annotations?.[annotations.clusterName]).toBe("shoot-a");
  });

  it.each<[name: string, left: () => void]>([
    ["is gone", () => setShoots("garden-gone", [])],
    ["is being deleted", () => setShoots("garden-deleted", ["shoot-a"], { deletionTimestamp: "2026-01-01T00:00:00Z" })],
  ])("lets the item go without its deployer when the cluster %s", async (name, removeShoot) => {
    const namespace = await install(name === "is gone" ? "garden-gone" : "garden-deleted", skip);
    removeShoot();
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
    expect(await namespace.list(resources.deployItem)).toEqual([]);
  });

  it.each<[name: string, item: Partial<TestItem>, change: (namespace: TestNamespace) => Promise<void>]>([
    ["the cluster is there", skip, async () => {}],
    ["the item does not ask for it", {}, async () => setShoots("no-skip-1", [])],
    [
      "nobody can tell",
      skip,
      async (namespace) => {
        setShoots("no-skip-2", []);
        await namespace.delete(resources.target, "shoot-a");
        const secrets = { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true };
        await namespace.delete(secrets, "source");
      },
    ],
  ])("leaves the item to its deployer when %s", async (...[name, item, change]) => {
    const index = ["the cluster is there", "the item does not ask for it", "nobody can tell"].indexOf(name);
    const namespace = await install(`no-skip-${index}`, item);
    await change(namespace);
    await namespace.delete(resources.installation, "root");
    const { metadata } = await itemOf(namespace);
    const deleting = await namespace.until(
      resources.deployItem,
      metadata.name ?? "",
      (found) => found === undefined || found.status?.phase === "InitDelete",
    );
    expect(deleting?.status?.phase).toBe("InitDelete");
  });
});
