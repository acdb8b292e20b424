// The real helm uninstalls the chart of the container deployer: the cleanup runs before, fails with the uninstall, and continues with the next one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type Deployment, type KubeObject, type Pod } from "@landscaper/api";
import { containerLabels, itemLabels, podFinalizer, secretTypes } from "@landscaper/container-deployer-lib";
import { createNamespace, describeUnless } from "@landscaper/testkit";
import { packCharts, type PackedCharts } from "../charts/packed-charts.ts";
import { playRelease, runCleanup, type PlayedRelease } from "../containers/played-release.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { buildOracle, oracleAbsence } from "../oracles/build-oracle.ts";
import { clustersForClients } from "../src/clusters/selected-clusters.ts";
import { createServiceAccounts } from "../src/clusters/service-accounts.ts";
import { harnessNamespace } from "../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

const namespace = "ls-system";
const programs = "programs";
const deployment = { namespace, name: "ls-container-deployer" };
const item = { namespace: "team", name: "setup", uid: "11111111-1111-1111-1111-111111111111" };

describeUnless(oracleAbsence("helm"), describe)("a release of the container deployer", () => {
  describe.each(clustersForClients("container-cleanup-helm"))("on %s", (cluster) => {
    const folder = mkdtempSync(join(tmpdir(), "landscaper-cleanup-"));
    let charts: PackedCharts;
    let host: TestCluster;
    let helm: RealHelm;
    let release: PlayedRelease;

    beforeAll(async () => {
      buildOracle("helm");
      charts = packCharts();
      host = await startTestCluster(cluster);
      helm = createRealHelm(host.kubeconfig, namespace, { timeoutMs: 120_000 });
      for (const each of [namespace, programs]) await createNamespace(host.client, each);
      release = playRelease({
        host,
        namespace,
        folder,
        program: "container-deployer",
        stopService: () => Promise.resolve(),
      });
    });
    afterAll(async () => {
      await release?.stop();
      helm?.dispose();
      charts?.dispose();
      await host?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const deploy = async (command: "install" | "upgrade", ...values: readonly string[]): Promise<string> => {
      const words = ["deployer.namespace=programs", ...values].flatMap((value) => ["--set", value]);
      return await helm.run(command, "ls", charts.path("container-deployer"), ...words);
    };

    /** A Secret of each type, and a Pod, as a deployer leaves them. */
    async function createItem({
      deployerId = `${namespace}.${deployment.name}`,
      at = programs,
      finalizers = [podFinalizer],
    } = {}): Promise<void> {
      const labels = itemLabels(item, deployerId);
      const types = [secretTypes.target, secretTypes.state, secretTypes.stateIndex];
      for (const type of types) {
        const metadata = {
          name: `${type}-${deployerId}`,
          namespace: at,
          labels: { ...labels, [containerLabels.type]: type },
        };
        await host.client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata });
      }
      await host.client.create<Pod>(kubeResources.pod, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: `pod-${deployerId}`, namespace: at, labels, finalizers: [...finalizers] },
        spec: { automountServiceAccountToken: false, containers: [{ name: "main", image: "registry.example/main:1" }] },
      });
    }

    /** Names of Secrets and Pods with labels of a container deployer. */
    async function left(at = programs): Promise<string[]> {
      const lists = [kubeResources.secret, kubeResources.pod].map(async (type) => {
        const options = { namespace: at, labelSelector: containerLabels.deployerId };
        return (await host.client.list<KubeObject>(type, options)).items.map(({ metadata }) => metadata.name);
      });
      return (await Promise.all(lists)).flat().map(String).toSorted();
    }

    const removeFinalizers = async (name: string): Promise<void> => {
      const body = { metadata: { finalizers: [] } };
      await host.client.patch(kubeResources.pod, { namespace: programs, name }, { type: "merge", body });
    };

    it("keeps everything on its host when it is upgraded", async () => {
      await deploy("install");
      await createItem({ finalizers: ["example.org/stuck"] });
      const before = await left();
      await deploy("upgrade", "cleanup.timeoutSeconds=10");
      expect([before.length, await left()]).toEqual([4, before]);
      expect(release.cleanups).toEqual([]);
    });

    it("stays when the cleanup fails, with the deployer stopped", async () => {
      await expect(helm.run("uninstall", "ls", "--timeout", "100s")).rejects.toThrow(
        /BackoffLimitExceeded|job .*failed/,
      );
      expect(release.cleanups.at(-1)?.output).toMatch(
        new RegExp(
          `CleanupIncomplete: namespace programs still has objects .*Pod pod-${namespace}.*finalizers example.org/stuck`,
        ),
      );
      expect(await helm.run("list", "--all", "--short")).toBe("ls\n");
      const { spec } = await host.client.get<Deployment>(kubeResources.deployment, deployment);
      expect(spec?.replicas).toBe(0);
    }, 150_000);

    it("is uninstalled when the cause is gone, and leaves only objects of other deployers", async () => {
      await createItem({ deployerId: "another" });
      await removeFinalizers(`pod-${namespace}.${deployment.name}`);
      await helm.run("uninstall", "ls", "--timeout", "100s");
      expect((await left()).filter((name) => !name.endsWith("-another"))).toEqual([]);
      expect(await left()).toHaveLength(4);
      expect(await helm.run("list", "--all", "--short")).toBe("");
      const { job, serviceAccount, role, roleBinding } = kubeResources;
      const hooks = [job, serviceAccount, role, roleBinding].flatMap((type) =>
        [namespace, programs].map(async (at) => (await host.client.list<KubeObject>(type, { namespace: at })).items),
      );
      const names = (await Promise.all(hooks)).flat().map(({ metadata }) => metadata.name ?? "");
      expect(names.filter((name) => name.includes("cleanup"))).toEqual([]);
    }, 150_000);

    it("keeps the states of programs with cleanup.keepState", async () => {
      await deploy("install", "cleanup.keepState=true");
      await createItem();
      await helm.run("uninstall", "ls", "--timeout", "100s");
      const own = (await left()).filter((name) => !name.endsWith("-another"));
      expect(own).toEqual(["state-index", "state"].map((type) => `${type}-${namespace}.${deployment.name}`));
    }, 150_000);

    it("needs for its cleanup the rules of the chart, and no others", async () => {
      const place = { namespace: harnessNamespace, name: "cleaned" };
      const name = "container-deployer-cleanup";
      const has = (file: string): boolean => file.startsWith("cleanup-");
      const account = { name, chart: "container-deployer", has, deployment: place.name };
      const tokens = await createServiceAccounts(host.client, [account]);
      const template = { metadata: { labels: { app: "cleaned" } }, spec: { containers: [{ name: "c", image: "i" }] } };
      await host.client.create<Deployment>(kubeResources.deployment, {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: place,
        spec: { replicas: 1, selector: { matchLabels: { app: "cleaned" } }, template },
      });
      const played = playRelease({
        host,
        namespace: harnessNamespace,
        folder,
        program: "container-deployer",
        stopService: () => Promise.resolve(),
      });
      await createItem({ deployerId: "third", at: harnessNamespace });
      const flags = [`--namespace=${harnessNamespace}`, `--deployment=${harnessNamespace}/cleaned`, "--timeout=60s"];
      const args = ["cleanup", "--deployer-id=third", ...flags];
      const ended = await runCleanup(args, {
        host,
        program: "container-deployer",
        token: tokens.get(name) ?? "",
        file: join(folder, "third"),
      });
      await played.stop();
      expect(ended).toMatchObject({ isFailed: false });
      expect(await left(harnessNamespace)).toEqual([]);
    }, 150_000);
  });
});
