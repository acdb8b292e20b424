// The container deployer of an Environment is uninstalled, by the agent that has installed it: nothing of a Target stays on the host.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentFinalizer,
  annotations,
  kubeResources,
  productVersion,
  resources,
  type DeployerRegistration,
  type KubeObject,
} from "@landscaper/api";
import { startPodRunner, type PodRunner, type ProgramContext } from "@landscaper/container-deployer-lib/testing";
import { fromYaml } from "@landscaper/goyaml";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { createKubeconfig, createNamespace, describeUnless, programAbsence } from "@landscaper/testkit";
import { startAgentLandscape, type AgentLandscape } from "../agent/agent-landscape.ts";
import { provideComponents } from "../agent/deployer-components.ts";
import { playRelease, type PlayedRelease } from "../containers/played-release.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { requestToken } from "../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";
import { goTemplate, inlineInstallation } from "../src/installations/inline-installation.ts";
import { createSentinel } from "../src/kits/sentinel.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { createServiceProcess, type ServiceProcess } from "../src/services/service-process.ts";

/** Of the agent and of the release, on the host: not that of the harness, whose accounts are audited. */
const edge = "edge";
const programs = "programs";
const type = "landscaper.gardener.cloud/container";
/** In the configuration of a Target, and in the Secret of another one. */
const values = { config: createSentinel(), secret: createSentinel() };

/** Keeps its Target in its state: what programs do with a Target is up to them. */
async function runProgram({ env }: ProgramContext): Promise<number> {
  const file = join(env["STATE_PATH"] ?? "", "target");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, readFileSync(env["TARGET_PATH"] ?? "", "utf8"));
  return await Promise.resolve(0);
}

const deployItem = (name: string): string => `
  - name: ${name}
    type: ${type}
    target: { import: ${name} }
    config:
      apiVersion: container.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      image: registry.example/team/program:1
`;

function targetOf(name: string, environment: string, spec: object): KubeObject {
  const metadata = { name, annotations: { [annotations.environment]: environment } };
  const target = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "Target", metadata };
  return { ...target, spec: { type: "example.org/any", ...spec } } as KubeObject;
}

describeUnless(programAbsence("docker-registry"), describe)("the container deployer of an Environment", () => {
  describe.each(clustersUnderTest())("with a host on %s", (cluster) => {
    const folder = mkdtempSync(join(tmpdir(), "landscaper-cleanup-"));
    let registry: TestRegistry;
    let host: TestCluster;
    let landscape: AgentLandscape;
    let scope: TestNamespace;
    let release: PlayedRelease;
    let pods: PodRunner;
    let deployer: ServiceProcess<"container-deployer"> | undefined;

    beforeAll(async () => {
      registry = await startTestRegistry();
      await provideComponents({
        output: join(folder, "components"),
        images: "registry.example/landscaper",
        repository: `http://${registry.host}/components`,
        deployers: ["container-deployer"],
      });
      host = await startTestCluster(cluster, { services: false, api: false });
      landscape = await startAgentLandscape({ cluster: "embedded" });
      const { environment, name, namespace } = landscape;
      for (const each of [edge, programs]) await createNamespace(host.client, each);
      release = playRelease({
        host,
        namespace: edge,
        folder,
        program: "container-deployer",
        stopService: async () => deployer?.stop(),
      });
      const { client, url: server, ca } = host;
      pods = startPodRunner({ client, server, ca, namespace: programs, program: runProgram });
      scope = await environment.namespace("cleanup");
      const agent = await landscape.createAgent({
        host: host.kubeconfig,
        config: { namespace: edge, namespaces: [namespace, scope.name] },
      });
      await agent.start();
      const data = { token: Buffer.from(values.secret.value).toString("base64") };
      await scope.apply(
        { apiVersion: "v1", kind: "Secret", metadata: { name: "access" }, data },
        targetOf("config", name, { config: { token: values.config.value } }),
        targetOf("secret", name, { secretRef: { name: "access", key: "token" } }),
      );
    });
    afterAll(async () => {
      await deployer?.stop();
      await pods?.stop();
      await landscape?.stop();
      await release?.stop();
      await host?.stop();
      await registry?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const registration = (): DeployerRegistration => ({
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DeployerRegistration",
      metadata: { name: `container-${landscape.suffix}` },
      spec: {
        types: [type],
        installationTemplate: {
          componentDescriptor: {
            ref: {
              repositoryContext: { type: "OCIRegistry", baseUrl: `http://${registry.host}/components` },
              componentName: "landscaper.gardener.cloud/container-deployer",
              version: productVersion,
            },
          },
          blueprint: { ref: { resourceName: "blueprint" } },
          importDataMappings: { values: { deployer: { namespace: programs } } },
        },
      },
    });

    /** Installs the deployer, and starts its process as its Deployment says. */
    async function install(): Promise<void> {
      const { client } = landscape;
      const namespace = edge;
      await client.create(resources.deployerRegistration, registration());
      await landscape.untilSucceeded("1/1");
      const [deployment] = (await host.client.list(kubeResources.deployment, { namespace })).items;
      const object = deployment?.metadata.name ?? "";
      const secret = { namespace, name: `${object}-landscaper-kubeconfig` };
      const { data } = await host.client.get(kubeResources.secret, secret);
      const landscaperFile = join(folder, "landscaper.kubeconfig");
      writeFileSync(landscaperFile, Buffer.from(data?.["kubeconfig"] ?? "", "base64"), { mode: 0o600 });
      const map = await host.client.get(kubeResources.configMap, { namespace, name: object });
      const token = await requestToken(host.client, { namespace, name: object });
      deployer = await createServiceProcess({
        name: "container-deployer",
        folder,
        kubeconfig: createKubeconfig({ name: object, server: host.url, ca: host.ca, user: { token } }),
        config: fromYaml(map.data?.["config.yaml"] ?? "") as Readonly<Record<string, unknown>>, // the service checks it
        args: ["--landscaper-kubeconfig", landscaperFile],
      });
      await deployer.start();
    }

    /** "NAMESPACE/NAME: VALUE" of all Secrets of the host that hold a value of a Target. */
    async function findValues(): Promise<string[]> {
      const { items } = await host.client.list(kubeResources.secret);
      return items.flatMap(({ metadata, data }) =>
        Object.entries(values)
          .filter(([, { findIn }]) => findIn(JSON.stringify(data ?? {})) !== undefined)
          .map(([name]) => `${metadata.namespace}/${metadata.name}: ${name}`),
      );
    }

    /** Objects of the namespaces of release and programs, but for those that Kubernetes creates, and the agent. */
    async function findObjects(): Promise<string[]> {
      const { job, secret, role, roleBinding, serviceAccount, pod } = kubeResources;
      const kinds = [job, secret, role, roleBinding, serviceAccount, pod];
      const found = [edge, programs].flatMap((namespace) =>
        kinds.map(async (kind) => {
          const { items } = await host.client.list<KubeObject>(kind, { namespace });
          return items.map(({ metadata }) => `${kind.kind} ${metadata.name}`);
        }),
      );
      const { accessSecret, account } = landscape.names;
      const others = new Set([`Secret ${accessSecret}`, `ServiceAccount ${account}`, "ServiceAccount default"]);
      return (await Promise.all(found)).flat().filter((name) => !others.has(name));
    }

    it("keeps copies of Targets on its host while it works", async () => {
      await install();
      const imports = ["config", "secret"];
      await scope.apply(
        inlineInstallation({
          name: "root",
          blueprint: {
            imports: imports.map((name) => ({ name, type: "target", targetType: "example.org/any" })),
            deployExecutions: goTemplate(`deployItems:${imports.map(deployItem).join("")}`),
          },
          imports: { targets: imports.map((name) => ({ name, target: name })) },
        }),
      );
      await scope.waitForPhase("root", "Succeeded");
      // Per value: the copy of the Target, the inputs of the last success, the state.
      expect(await findValues()).toHaveLength(6);
    }, 180_000);

    it("leaves no value of a Target on its host when its registration is deleted", async () => {
      const { client, until } = landscape;
      const { name = "" } = registration().metadata;
      await client.delete(resources.deployerRegistration, { name });
      await until(resources.deployerRegistration, { name }, (object) => object === undefined);
      expect(await findValues()).toEqual([]);
      expect(await findObjects()).toEqual([]);
      expect(release.cleanups).toEqual([expect.objectContaining({ isFailed: false })]);
    }, 180_000);

    it("leaves none either when its Environment is deleted, and items are abandoned", async () => {
      const { client, until, name } = landscape;
      await install();
      await scope.trigger("root");
      await scope.waitForPhase("root", "Succeeded");
      expect(await findValues()).toHaveLength(6);
      const body = { metadata: { annotations: { [annotations.abandonItems]: name } } };
      await client.patch(resources.environment, { name }, { type: "merge", body });
      await client.delete(resources.environment, { name });
      const rest = JSON.stringify([agentFinalizer]);
      await until(resources.environment, { name }, (object) => JSON.stringify(object?.metadata.finalizers) === rest);
      expect(await findValues()).toEqual([]);
      expect(await findObjects()).toEqual([]);
      expect(release.cleanups).toHaveLength(2);
    }, 180_000);
  });
});
