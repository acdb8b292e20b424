// Releases of the charts by the real helm: installed beside each other, upgraded, rolled back, and uninstalled without a trace. No node runs the pods.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { describeUnless } from "@landscaper/testkit";
import { type ChartName, type PackedCharts, packCharts } from "../charts/packed-charts.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { oracleAbsence } from "../oracles/build-oracle.ts";
import { clustersForClients } from "../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

const namespace = "landscaper-system";
const environments = ["blue", "green"] as const;

/** Flags of an instance for the Targets of an environment. */
const selects = (environment: string): string[] => [
  "--set-json",
  `deployer.targetSelector=[{"labels":[{"key":"environment","operator":"=","values":["${environment}"]}]}]`,
];

const clusters = clustersForClients("charts-releases");

/** No node runs the Pods of cleanups here (suites/container-cleanup-helm, suites/core-cleanup-helm). */
const noHooks = "--no-hooks";

describeUnless(oracleAbsence("helm"), describe)("releases of the charts", () => {
  let charts: PackedCharts;
  beforeAll(() => {
    charts = packCharts();
  });
  afterAll(() => charts.dispose());

  describe.each(clusters)("on %s", (cluster) => {
    let hub: TestCluster;
    let helm: RealHelm;
    /** What was there before: the roles of the harness are called like services, too. */
    let others: readonly string[] = [];
    beforeAll(async () => {
      hub = await startTestCluster(cluster);
      helm = createRealHelm(hub.kubeconfig, namespace);
      for (const name of [namespace, "ls-system"]) {
        await hub.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
      }
      others = await leftOf(/./);
    });
    afterAll(async () => {
      helm.dispose();
      await hub.stop();
    });

    const install = async (name: string, chart: ChartName, ...words: readonly string[]): Promise<string> =>
      await helm.run("install", name, charts.path(chart), ...words);

    /** "deployments/blue-helm-deployer", for objects of these names that releases have made. */
    async function leftOf(pattern: RegExp): Promise<string[]> {
      const paths = {
        deployments: `/apis/apps/v1/namespaces/${namespace}/deployments`,
        configmaps: `/api/v1/namespaces/${namespace}/configmaps`,
        secrets: `/api/v1/namespaces/${namespace}/secrets`,
        services: `/api/v1/namespaces/${namespace}/services`,
        serviceaccounts: `/api/v1/namespaces/${namespace}/serviceaccounts`,
        roles: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`,
        rolebindings: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
        clusterroles: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        clusterrolebindings: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
      };
      const found = await Promise.all(
        Object.entries(paths).map(async ([kind, path]) => {
          const { items } = Object(await hub.client.request({ method: "GET", path }));
          const names = (items as readonly { readonly metadata: { readonly name: string } }[]).map(
            (each) => each.metadata.name,
          );
          return names.filter((name) => pattern.test(name)).map((name) => `${kind}/${name}`);
        }),
      );
      return found.flat().filter((object) => !others.includes(object));
    }

    async function configurationOf(name: string): Promise<string> {
      const { data } = Object(
        await hub.client.request({ method: "GET", path: `/api/v1/namespaces/${namespace}/configmaps/${name}` }),
      );
      return String(Reflect.get(Object(data), "config.yaml"));
    }

    it("two instances of a deployer work beside each other, and one goes without the other", async () => {
      for (const name of environments) await install(name, "helm-deployer", ...selects(name));
      const configurations = await Promise.all(
        environments.map(async (name) => configurationOf(`${name}-helm-deployer`)),
      );
      for (const [index, name] of environments.entries()) {
        expect(configurations[index]).toContain(`identity: landscaper-system.${name}-helm-deployer\n`);
        expect(configurations[index]).toContain(`    - ${name}\n`);
      }
      const ofGreen = await leftOf(/green-helm-deployer/);
      await helm.run("uninstall", "blue");
      expect(await leftOf(/blue/)).toEqual([]);
      expect(await leftOf(/green-helm-deployer/)).toEqual(ofGreen);
      await helm.run("uninstall", "green");
      expect(await leftOf(/green/)).toEqual([]);
    });

    it("the stack is upgraded, rolled back, and uninstalled, and user roles and CRDs behave as the README says", async () => {
      const notes = await install("landscaper", "landscaper-stack");
      expect(notes).toContain("runs in namespace landscaper-system: helm-deployer, landscaper, manifest-deployer.");
      const first = await configurationOf("landscaper");
      const words = ["--set", "landscaper.landscaper.fieldValidation=Strict", "--set", "enabled.mockDeployer=true"];
      await helm.run("upgrade", "landscaper", charts.path("landscaper-stack"), ...words);
      expect(await configurationOf("landscaper")).toContain("fieldValidation: Strict\n");
      expect(await leftOf(/^landscaper-mock-deployer$/)).toContain("deployments/landscaper-mock-deployer");
      await helm.run("rollback", "landscaper", "1");
      expect(await configurationOf("landscaper")).toBe(first);
      expect(await leftOf(/mock-deployer/)).toEqual([]);
      expect(await leftOf(/^landscaper-(admin|edit|view)$/)).toHaveLength(3);
      await helm.run("uninstall", "landscaper", noHooks);
      expect(await leftOf(/landscaper/)).toEqual([]);
      const crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/installations.landscaper.gardener.cloud";
      expect(await hub.client.request({ method: "GET", path: crd })).toMatchObject({
        kind: "CustomResourceDefinition",
      });
    });
  });
});
