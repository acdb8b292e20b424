// What a release of the stack gives to its pods is enough to work with: configuration, flags and rights, for services as processes of their own, on a
// cluster that has no CRDs before.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  generateHubPolicies,
  generateEnvironmentPolicies,
  kubeResources,
  resources,
  type AdmissionObject,
} from "@landscaper/api";
import { isInvalid } from "@landscaper/controller-runtime";
import { fromYaml } from "@landscaper/goyaml";
import { createKubeconfig, describeUnless, waitFor } from "@landscaper/testkit";
import { type PackedCharts, packCharts, stackChart } from "../charts/packed-charts.ts";
import { tailOf } from "../cluster/child.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { buildOracle, oracleAbsence } from "../oracles/build-oracle.ts";
import { clusterInstallation, deployItems, manifestItem, mockItem } from "../src/installations/inline-installation.ts";
import { clustersForClients } from "../src/clusters/selected-clusters.ts";
import {
  createServiceProcess,
  type ServiceName,
  serviceNames,
  type ServiceProcess,
} from "../src/services/service-process.ts";
import { requestToken } from "../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

const namespace = "landscaper-system";
/** Of deployer management, and of the Leases of deployers. */
const management = "ls-system";

/** Deployment, ConfigMap and account of a service in the release "landscaper". */
const objectOf = (service: ServiceName): string =>
  service === "landscaper-core" ? "landscaper" : `landscaper-${service}`;

/** Flags of the pod that are about its mounts or its clock; the harness gives its own. */
const ofHarness = /^--(config|verbosity|lease-duration)=/;

describeUnless(oracleAbsence("helm"), describe)("the services of a release of the stack", () => {
  describe.each(clustersForClients("charts-services"))("on %s", (cluster) => {
    let charts: PackedCharts;
    let hub: TestCluster;
    let helm: RealHelm;
    let folder: string;
    const services: ServiceProcess[] = [];

    beforeAll(async () => {
      buildOracle("helm");
      folder = mkdtempSync(join(tmpdir(), "landscaper-stack-"));
      charts = packCharts();
      hub = await startTestCluster(cluster, { api: false });
      helm = createRealHelm(hub.kubeconfig, namespace);
      const words = [
        "--create-namespace",
        "--set",
        "enabled.mockDeployer=true",
        "--set",
        "enabled.containerDeployer=true",
      ];
      await helm.run("install", "landscaper", charts.path(stackChart), ...words);
    });
    afterAll(async () => {
      await Promise.all(services.map(async (service) => service.stop()));
      helm.dispose();
      charts.dispose();
      await hub.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    async function start(name: ServiceName): Promise<void> {
      const object = objectOf(name);
      const token = await requestToken(hub.client, { namespace, name: object });
      const map = await hub.client.get(kubeResources.configMap, { namespace, name: object });
      const deployment = await hub.client.get(kubeResources.deployment, { namespace, name: object });
      const [container] = (Reflect.get(Object(deployment), "spec") as DeploymentSpec).template.spec.containers;
      const service = await createServiceProcess({
        name,
        folder,
        podNamespace: namespace,
        kubeconfig: createKubeconfig({ name: object, server: hub.url, ca: hub.ca, user: { token } }),
        config: fromYaml(map.data?.["config.yaml"] ?? "") as Readonly<Record<string, unknown>>, // the service checks it
        args: container.args.filter((flag) => !ofHarness.test(flag)),
      });
      services.push(service);
      await service.start();
    }

    it("become ready with their own account, configuration and flags, the core first, which brings CRDs and admission policies", async () => {
      for (const name of serviceNames) await start(name);
      const deployers = serviceNames.slice(1).map((name) => `${namespace}.${objectOf(name)}/${name}-0`);
      const holdersIn = async (where: string): Promise<string[]> =>
        (await hub.client.list(kubeResources.lease, { namespace: where })).items.map(({ spec }) =>
          String(Reflect.get(Object(spec), "holderIdentity")),
        );
      // A deployer is ready a moment before it has its Lease.
      const holders = await waitFor(async () => {
        const found = await holdersIn(management);
        return deployers.every((holder) => found.includes(holder)) ? found : undefined;
      });
      expect(holders).not.toContain("landscaper-core-0");
      expect(new Set(await holdersIn(namespace))).toEqual(new Set(["landscaper-core-0"]));
    });

    it("have the admission policies of this version, all in force", async () => {
      // The live policies must equal the generated ones: otherwise each restart of the core would change them.
      const bounds = generateEnvironmentPolicies({ management, core: namespace, hubEnvironments: [] });
      for (const wanted of [...generateHubPolicies(), ...bounds]) {
        const { validatingAdmissionPolicy, validatingAdmissionPolicyBinding } = kubeResources;
        const type = wanted.kind.endsWith("Binding") ? validatingAdmissionPolicyBinding : validatingAdmissionPolicy;
        const found = await hub.client.get<AdmissionObject>(type, { name: wanted.metadata.name ?? "" });
        expect(found.spec).toEqual(wanted.spec);
      }
      const probe = {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "Target",
        metadata: { name: "probe", namespace: "default" },
        spec: { type: "probe", config: {}, secretRef: { name: "probe" } },
      };
      // A policy that is not compiled yet lets everything pass.
      await waitFor(
        async () => await hub.client.create(resources.target, probe, { dryRun: true }).then(() => false, isInvalid),
      );
    });

    it("run an Installation of two deployers to Succeeded, and take it away again", async () => {
      const target = { apiVersion: "v1", kind: "Secret", metadata: { name: "cluster", namespace: "default" } };
      await hub.client.create(kubeResources.secret, { ...target, stringData: { kubeconfig: hub.kubeconfig } });
      await hub.client.create(resources.target, {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "Target",
        metadata: { name: "cluster", namespace: "default" },
        spec: {
          type: "landscaper.gardener.cloud/kubernetes-cluster",
          secretRef: { name: "cluster", key: "kubeconfig" },
        },
      });
      const metadata = { name: "from-stack", namespace: "default" };
      const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { from: "stack" } };
      const items = deployItems(mockItem("mock"), manifestItem({ manifests: [manifest] }));
      const installation = clusterInstallation({ deployExecutions: items });
      await hub.client.create(resources.installation, {
        ...installation,
        metadata: { ...installation.metadata, namespace: "default" },
      } as never);
      const key = { namespace: "default", name: "root" };
      const logs = (): string => services.map((each) => `--- ${each.name}\n${tailOf(each.logFile)}`).join("\n");
      const ended = await waitFor(async () => {
        const found = await hub.client.get(resources.installation, key);
        return found.status?.jobIDFinished === undefined ? undefined : found;
      }).catch((error: unknown) => {
        throw new Error(logs(), { cause: error });
      });
      expect([ended.status?.phase, ended.status?.lastError]).toEqual(["Succeeded", undefined]);
      expect((await hub.client.get(kubeResources.configMap, metadata)).data).toEqual(manifest.data);
      await hub.client.delete(resources.installation, key);
      await waitFor(async () => (await hub.client.find(resources.installation, key)) === undefined);
      expect(await hub.client.find(kubeResources.configMap, metadata)).toBeUndefined();
    }, 150_000);
  });
});

interface DeploymentSpec {
  readonly template: { readonly spec: { readonly containers: readonly [{ readonly args: readonly string[] }] } };
}
