// One `helm install` of the stack with values-agent.yaml brings a landscape that can deploy: the agent brings the deployers that the core registers.
// Core, agent and deployer run as processes with what the release, or deployer management, gives to their pods.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { generateEnvironmentPolicies, kubeResources, productVersion, resources } from "@landscaper/api";
import { fromYaml } from "@landscaper/goyaml";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { createKubeconfig, describeUnless, programAbsence, waitFor } from "@landscaper/testkit";
import { provideComponents } from "../agent/deployer-components.ts";
import { packCharts, stackChart, type PackedCharts } from "../charts/packed-charts.ts";
import { tailOf } from "../cluster/child.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { buildOracle, oracleAbsence } from "../oracles/build-oracle.ts";
import { clusterInstallation, deployItems, manifestItem } from "../src/installations/inline-installation.ts";
import { clustersForClients } from "../src/clusters/selected-clusters.ts";
import { createServiceProcess, type ProgramName, type ServiceProcess } from "../src/services/service-process.ts";
import { requestToken } from "../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

/** Of the release, with the core. */
const releaseNamespace = "landscaper-system";
/** Of deployer management, with the agent and the deployers that it brings. */
const management = "ls-system";
const missing = programAbsence("docker-registry") ?? oracleAbsence("helm");
/** Flags of the pod that are about its mounts or its clock; the harness gives its own. */
const ofHarness = /^--(config|verbosity|lease-namespace|lease-duration|landscaper-kubeconfig)=/;

describeUnless(missing, describe)("a release of the stack with its agent", () => {
  describe.each(clustersForClients("charts-agent"))("on %s", (cluster) => {
    let charts: PackedCharts;
    let registry: TestRegistry;
    let hub: TestCluster;
    let helm: RealHelm;
    const folder = mkdtempSync(join(tmpdir(), "landscaper-stack-agent-"));
    const services: ServiceProcess<ProgramName>[] = [];

    beforeAll(async () => {
      buildOracle("helm");
      charts = packCharts();
      registry = await startTestRegistry();
      const repository = `http://${registry.host}/components`;
      await provideComponents({
        output: join(folder, "components"),
        images: "registry.example/landscaper",
        repository,
        deployers: ["manifest-deployer", "helm-deployer"],
      });
      // Deployments become ready as if a node ran their pods.
      hub = await startTestCluster(cluster, { api: false, workloads: true });
      helm = createRealHelm(hub.kubeconfig, releaseNamespace);
      const chart = charts.path(stackChart);
      const context = "landscaper.landscaper.deployerManagement.deployerRepositoryContext";
      const values = ["--values", join(chart, "values-agent.yaml")];
      const repositoryContext = ["--set", `${context}.type=OCIRegistry`, "--set", `${context}.baseUrl=${repository}`];
      await helm.run("install", "landscaper", chart, "--create-namespace", ...values, ...repositoryContext);
    }, 180_000);
    afterAll(async () => {
      await Promise.all(services.map(async (service) => service.stop()));
      helm?.dispose();
      charts?.dispose();
      await hub?.stop();
      await registry?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const namespaceOf = (name: ProgramName): string => (name === "landscaper-core" ? releaseNamespace : management);

    /** What the pods of a Deployment have. */
    async function start(name: ProgramName, object: string, kubeconfig: string): Promise<void> {
      const namespace = namespaceOf(name);
      const map = await hub.client.get(kubeResources.configMap, { namespace, name: object });
      const deployment = await hub.client.get(kubeResources.deployment, { namespace, name: object });
      const [container] = (Reflect.get(Object(deployment), "spec") as DeploymentSpec).template.spec.containers;
      const service = await createServiceProcess<ProgramName>({
        name,
        folder,
        podNamespace: namespace,
        kubeconfig,
        config: fromYaml(map.data?.["config.yaml"] ?? "") as Readonly<Record<string, unknown>>, // the service checks it
        args: container.args.filter((flag) => !ofHarness.test(flag)),
      });
      services.push(service);
      await service.start();
    }

    async function startWithAccount(name: ProgramName, object: string): Promise<void> {
      const token = await requestToken(hub.client, { namespace: namespaceOf(name), name: object });
      await start(name, object, createKubeconfig({ name: object, server: hub.url, ca: hub.ca, user: { token } }));
    }

    const logs = (): string => services.map((each) => `--- ${each.name}\n${tailOf(each.logFile)}`).join("\n");

    it("gets the deployers of the values in the Environment default", async () => {
      await startWithAccount("landscaper-core", "landscaper");
      await startWithAccount("landscaper-agent", "landscaper-landscaper-agent");
      const environment = await waitFor(
        async () => {
          const found = await hub.client.find(resources.environment, { name: "default" });
          return found?.status?.succeeded === "2/2" ? found : undefined;
        },
        { timeoutMs: 120_000, describe: () => Promise.resolve(logs()) },
      );
      expect(environment.status?.deployers?.map(({ name, version }) => [name, version])).toEqual([
        ["helm-default", productVersion],
        ["manifest-default", productVersion],
      ]);
      expect(environment.spec.targetSelectors).toHaveLength(3);
      expect(environment.spec.namespaces).toEqual(["*"]);
      const warning = environment.status?.conditions?.find(({ type }) => type === "ReadsAllNamespaces");
      expect([warning?.status, warning?.reason]).toEqual(["True", "AllNamespacesNamed"]);
    }, 150_000);

    it("lists the Environment default in the policies of the core", async () => {
      const settings = { management, core: releaseNamespace, hubEnvironments: ["default"] };
      const [wanted] = generateEnvironmentPolicies(settings).filter(
        ({ metadata }) => metadata.name === "environments.bounds.landscaper.gardener.cloud",
      );
      const key = { name: wanted?.metadata.name ?? "" };
      const live = await hub.client.get(kubeResources.validatingAdmissionPolicy, key);
      expect(live.spec).toEqual(wanted?.spec);
    });

    it("deploys by them to a Target that names no Environment", async () => {
      const object = "manifest-default-manifest-deployer";
      const access = { namespace: management, name: `${object}-landscaper-kubeconfig` };
      const secret = await hub.client.get(kubeResources.secret, access);
      const kubeconfig = Buffer.from(secret.data?.["kubeconfig"] ?? "", "base64").toString();
      await start("manifest-deployer", object, kubeconfig);
      await hub.client.create(resources.target, {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "Target",
        metadata: { name: "cluster", namespace: "default" },
        spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: hub.kubeconfig } },
      });
      const metadata = { name: "from-agent", namespace: "default" };
      const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { from: "agent" } };
      const installation = clusterInstallation({
        deployExecutions: deployItems(manifestItem({ manifests: [manifest] })),
      });
      await hub.client.create(resources.installation, {
        ...installation,
        metadata: { ...installation.metadata, namespace: "default" },
      } as never);
      const key = { namespace: "default", name: "root" };
      const ended = await waitFor(
        async () => {
          const found = await hub.client.get(resources.installation, key);
          return found.status?.jobIDFinished === undefined ? undefined : found;
        },
        { describe: () => Promise.resolve(logs()) },
      );
      expect([ended.status?.phase, ended.status?.lastError]).toEqual(["Succeeded", undefined]);
      expect((await hub.client.get(kubeResources.configMap, metadata)).data).toEqual(manifest.data);
    });
  });
});

interface DeploymentSpec {
  readonly template: { readonly spec: { readonly containers: readonly [{ readonly args: readonly string[] }] } };
}
