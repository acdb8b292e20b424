// The real helm uninstalls the chart of the core: the cleanup runs before, and objects in use lose their finalizers.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  apiVersion,
  kubeResources,
  protectionFinalizer,
  resources,
  type Deployment,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { createNamespace, describeUnless } from "@landscaper/testkit";
import { packCharts, type PackedCharts } from "../charts/packed-charts.ts";
import { playRelease, type PlayedRelease } from "../containers/played-release.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { buildOracle, oracleAbsence } from "../oracles/build-oracle.ts";
import { clustersForClients } from "../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

const namespace = "landscaper-system";
const tenant = "cleanup-tenant";
const deployment = { namespace, name: "ls-landscaper" };
const inUse: readonly (readonly [ResourceType, KubeObject])[] = [
  [resources.target, { apiVersion, kind: "Target", metadata: {}, spec: { type: "t" } } as KubeObject],
  [resources.context, { apiVersion, kind: "Context", metadata: {} }],
  [kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata: {} }],
];

describeUnless(oracleAbsence("helm"), describe)("a release of the core", () => {
  describe.each(clustersForClients("core-cleanup-helm"))("on %s", (cluster) => {
    const folder = mkdtempSync(join(tmpdir(), "landscaper-cleanup-"));
    let charts: PackedCharts;
    let hub: TestCluster;
    let helm: RealHelm;
    let release: PlayedRelease;
    let stops = 0;

    beforeAll(async () => {
      buildOracle("helm");
      charts = packCharts();
      hub = await startTestCluster(cluster);
      helm = createRealHelm(hub.kubeconfig, namespace, { timeoutMs: 120_000 });
      for (const each of [namespace, tenant]) await createNamespace(hub.client, each);
      const stopService = (): Promise<void> => Promise.resolve(void stops++);
      release = playRelease({ host: hub, namespace, folder, program: "landscaper-core", stopService });
      for (const [type, { metadata: _, ...fields }] of inUse) {
        const metadata = { name: "used", namespace: tenant, finalizers: [protectionFinalizer, "example.org/other"] };
        await hub.client.create(type, { ...fields, metadata });
      }
    });
    afterAll(async () => {
      for (const [type] of inUse) {
        const body = { metadata: { finalizers: null } };
        await hub?.client.patch(type, { namespace: tenant, name: "used" }, { type: "merge", body });
      }
      await release?.stop();
      helm?.dispose();
      charts?.dispose();
      await hub?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const finalizersLeft = async (): Promise<readonly unknown[]> =>
      await Promise.all(
        inUse.map(
          async ([type]) => (await hub.client.get(type, { namespace: tenant, name: "used" })).metadata.finalizers,
        ),
      );

    it("keeps the finalizers when it is upgraded", async () => {
      await helm.run("install", "ls", charts.path("landscaper"));
      await helm.run("upgrade", "ls", charts.path("landscaper"), "--set", "cleanup.timeoutSeconds=60");
      expect([release.cleanups, stops]).toEqual([[], 0]);
      expect(await finalizersLeft()).toEqual(inUse.map(() => [protectionFinalizer, "example.org/other"]));
    });

    it("stops the core and removes the finalizers when it is uninstalled, with the rules of the chart", async () => {
      await helm.run("uninstall", "ls", "--timeout", "100s");
      expect(release.cleanups.map(({ isFailed, output }) => [isFailed, output.includes("is stopped")])).toEqual([
        [false, true],
      ]);
      expect(stops).toBeGreaterThan(0);
      expect(await finalizersLeft()).toEqual(inUse.map(() => ["example.org/other"]));
      expect(await hub.client.find<Deployment>(kubeResources.deployment, deployment)).toBeUndefined();
      expect(await helm.run("list", "--all", "--short")).toBe("");
      const { job, role, roleBinding } = kubeResources;
      const lists = [job, role, roleBinding].map(
        async (type) => (await hub.client.list<KubeObject>(type, { namespace })).items,
      );
      const names = (await Promise.all(lists)).flat().map(({ metadata }) => metadata.name ?? "");
      expect(names.filter((name) => name.includes("cleanup"))).toEqual([]);
    }, 150_000);
  });
});
