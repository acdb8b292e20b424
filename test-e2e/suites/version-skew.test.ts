// The order of an upgrade: the core first, then its agents and deployers. Services of the previous release work under the policies of this core, and a
// core that is rolled back leaves the policies in force.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  conditionTypes,
  exportSecretName,
  kubeResources,
  operations,
  planSecretName,
  resources,
  type DeployItem,
} from "@landscaper/api";
import { connectionFromKubeconfig, createClient, isForbidden } from "@landscaper/controller-runtime";
import { describeUnless } from "@landscaper/testkit";
import { previousReleaseAbsence } from "../previous-release/previous-release.ts";
import { startSkewedLandscape, type SkewedLandscape } from "../previous-release/skewed-landscape.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";

const isPlanned = ({ status }: DeployItem): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === conditionTypes.planned && value === "True") === true;

describeUnless(previousReleaseAbsence(), describe)("services of two releases", () => {
  describe.each(clustersUnderTest())("on %s", (cluster) => {
    let skewed: SkewedLandscape;

    beforeAll(async () => {
      skewed = await startSkewedLandscape(cluster);
    }, 300_000);
    afterAll(async () => skewed?.stop());

    /** Adds the ends of the logs to an error. */
    async function withLogs<T>(run: () => Promise<T>): Promise<T> {
      try {
        return await run();
      } catch (error) {
        throw new Error(`${String(error)}\n${skewed.describeLogs()}`, { cause: error });
      }
    }

    async function markOf(secret: string): Promise<string | undefined> {
      const { landscape, scope } = skewed;
      const { metadata } = await landscape.client.get(kubeResources.secret, { namespace: scope.name, name: secret });
      return metadata.annotations?.[annotations.environments];
    }

    /** The deployer creates a ConfigMap, exports a value of it, plans, and uninstalls. */
    async function deploy(name: string): Promise<void> {
      const { landscape, scope } = skewed;
      const { client } = landscape;
      const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: scope.targetNamespace } };
      const fromResource = { apiVersion: "v1", kind: "ConfigMap", name, namespace: scope.targetNamespace };
      const exports = { exports: [{ key: "a", jsonPath: ".data.a", fromResource }] };
      const item = manifestItem({ manifests: [{ ...map, data: { a: "1" } }], config: { exports } });
      await scope.apply(itemsInstallation([item], { name }));
      await scope.waitForPhase(name, "Succeeded");
      const [deployed] = [...(await scope.deployItems(name)).values()];
      const itemName = deployed?.metadata.name ?? "";
      expect(await markOf(exportSecretName(itemName))).toBe(landscape.name);
      const body = { metadata: { annotations: { [annotations.operation]: operations.plan } } };
      await client.patch(resources.deployItem, { namespace: scope.name, name: itemName }, { type: "merge", body });
      await scope.until(resources.deployItem, itemName, (object) => object !== undefined && isPlanned(object));
      expect(await markOf(planSecretName(itemName))).toBe(landscape.name);
      await client.delete(resources.installation, { namespace: scope.name, name });
      await scope.untilGone(resources.installation, name);
      await scope.waitOnTarget(kubeResources.configMap, name, (object) => object === undefined);
    }

    const policies = async (): Promise<Record<string, unknown>> => {
      const { items } = await skewed.landscape.client.list(kubeResources.validatingAdmissionPolicy);
      return Object.fromEntries(
        items.map((policy) => [policy.metadata.name ?? "", Reflect.get(policy, "spec") as unknown]),
      );
    };

    it("the deployer of the previous release deploys, plans and uninstalls under the upgraded core", async () => {
      await withLogs(async () => deploy("before"));
      await skewed.start.core("this");
      await withLogs(async () => deploy("after"));
    });

    it("the agent of the previous release upgrades a deployer under the upgraded core", async () => {
      await withLogs(async () => skewed.upgradeChart(2));
    });

    it("the agent and the deployer are upgraded, and nothing is installed anew", async () => {
      const { landscape, registration } = skewed;
      const key = { namespace: landscape.namespace, name: `${registration}-${landscape.name}` };
      const before = await landscape.client.get(kubeResources.configMap, key);
      await skewed.start.agent("this");
      await skewed.start.deployer("this");
      await withLogs(async () => deploy("upgraded"));
      await withLogs(async () => skewed.upgradeChart(3));
      const { metadata } = await landscape.client.get(kubeResources.configMap, key);
      expect(metadata.uid).toBe(before.metadata.uid);
    });

    it("a core that is rolled back leaves the policies in force, and works", async () => {
      const { scope, start } = skewed;
      const before = await policies();
      expect(Object.keys(before)).toEqual(expect.arrayContaining(["secrets.bounds.landscaper.gardener.cloud"]));
      await start.core("previous");
      expect(await policies()).toMatchObject(before);
      const kubeconfig = await skewed.deployerKubeconfig();
      const intruder = createClient({ connection: connectionFromKubeconfig(kubeconfig), userAgent: "intruder" });
      const metadata = { namespace: scope.name, name: "sh.helm.release.v1.landscaper.v2" };
      const release = { apiVersion: "v1", kind: "Secret", type: "Opaque", metadata };
      const outcome = await intruder.create(kubeResources.secret, release).then(() => "created", isForbidden);
      await intruder.close();
      expect(outcome).toBe(true);
      await start.agent("previous");
      await start.deployer("previous");
      await withLogs(async () => deploy("rolled-back"));
    });
  });
});
