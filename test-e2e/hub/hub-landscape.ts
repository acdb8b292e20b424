// A hub by the real helm in one namespace, as earlier releases installed it, with agents of fenced clusters. Core, deployer and agents are processes;
// the test is their kubelet.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { kubeResources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { fromYaml } from "@landscaper/goyaml";
import { createKubeconfig } from "@landscaper/testkit";
import { stringify } from "yaml";
import { packCharts, stackChart, type PackedCharts } from "../charts/packed-charts.ts";
import { tailOf } from "../cluster/child.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { createKubectl, findKubectl } from "../src/clients/kubectl.ts";
import type { ClusterName } from "../src/clusters/selected-clusters.ts";
import { requestToken } from "../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";
import { createServiceProcess, type ProgramName, type ServiceProcess } from "../src/services/service-process.ts";

export const oldNamespace = "ls-system";
export const newNamespace = "landscaper-system";
export const environments = ["edge-1", "edge-2", "edge-3"] as const;

/** Flags of the pod that are about its mounts or its clock; the harness gives its own. */
const ofHarness = /^--(config|verbosity|lease-duration)=/;
const command = join(import.meta.dirname, "../../bin/landscaper");

/** Deployments of the release, by program. */
const deployments = {
  "landscaper-core": "landscaper",
  "mock-deployer": "landscaper-mock-deployer",
} as const;
export type HubService = keyof typeof deployments;

export interface HubLandscape {
  readonly hub: TestCluster;
  /** Of the cluster of all agents. */
  readonly host: Client;
  readonly client: Client;
  helmIn(namespace: string): RealHelm;
  /** Runs a documented command line of landscaper, helm or kubectl as an administrator of the hub. */
  run(line: string): Promise<string>;
  /** Starts a service with what its Deployment in the namespace says. */
  start(service: HubService, namespace: string): Promise<ServiceProcess<ProgramName>>;
  readonly agents: readonly ServiceProcess<ProgramName>[];
  /** Core and deployer in the old namespace. */
  readonly first: Readonly<Record<HubService, ServiceProcess<ProgramName>>>;
  readonly describeLogs: () => Promise<string>;
  stop(): Promise<void>;
}

/** Starts a hub in ls-system, and an agent of each Environment in a cluster beside it. */
export async function startHubLandscape(cluster: ClusterName): Promise<HubLandscape> {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-hub-"));
  const charts: PackedCharts = packCharts();
  const hub = await startTestCluster(cluster, { api: false, workloads: true });
  const fence = await startTestCluster("embedded", { services: false, api: false });
  const helms: RealHelm[] = [];
  const processes: ServiceProcess<ProgramName>[] = [];
  const adminFile = join(folder, "admin");
  writeFileSync(adminFile, hub.kubeconfig, { mode: 0o600 });
  const landscaper = async (...words: readonly string[]): Promise<string> => {
    const env = { PATH: process.env["PATH"], HOME: folder };
    return (await promisify(execFile)(command, [...words, "--kubeconfig", adminFile], { env })).stdout;
  };
  async function runKubectl(words: readonly string[]): Promise<string> {
    const kubectl = createKubectl(findKubectl() ?? "", hub.kubeconfig);
    try {
      const { status, stdout, stderr } = await kubectl.run(words);
      if (status !== 0) throw new Error(`kubectl ${words.join(" ")}: ${stderr}`);
      return stdout;
    } finally {
      kubectl.dispose();
    }
  }
  const helmIn = (namespace: string): RealHelm => {
    const helm = createRealHelm(hub.kubeconfig, namespace);
    helms.push(helm);
    return helm;
  };
  const agents: ServiceProcess<ProgramName>[] = [];
  const landscape: Omit<HubLandscape, "first"> = {
    hub,
    host: fence.client,
    client: hub.client,
    helmIn,
    agents,
    async run(line) {
      const [program = "", ...words] = line.split(" ");
      if (program === "landscaper") return await landscaper(...words);
      if (program === "kubectl") return await runKubectl(words);
      if (program !== "helm") throw new Error(`expected landscaper, helm or kubectl, found ${line}`);
      return await helmIn(oldNamespace).run(...words.map((word) => (word === stackChart ? charts.path(word) : word)));
    },
    async start(name, namespace) {
      const key = { namespace, name: deployments[name] };
      const token = await requestToken(hub.client, key);
      const map = await hub.client.get(kubeResources.configMap, key);
      const deployment = await hub.client.get(kubeResources.deployment, key);
      const [container] = (Reflect.get(Object(deployment), "spec") as DeploymentSpec).template.spec.containers;
      const service = await createServiceProcess<ProgramName>({
        name,
        folder,
        pod: `${name}-in-${namespace}`,
        podNamespace: namespace,
        kubeconfig: createKubeconfig({ name: key.name, server: hub.url, ca: hub.ca, user: { token } }),
        config: fromYaml(map.data?.["config.yaml"] ?? "") as Readonly<Record<string, unknown>>, // the service checks it
        args: container.args.filter((flag) => !ofHarness.test(flag)),
      });
      processes.push(service);
      await service.start();
      return service;
    },
    describeLogs: () =>
      Promise.resolve(processes.map(({ pod, logFile }) => `--- ${pod}\n${tailOf(logFile)}`).join("\n")),
    async stop() {
      await Promise.all(processes.map(async (each) => each.stop()));
      for (const helm of helms) helm.dispose();
      charts.dispose();
      await hub.stop();
      await fence.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const values = join(folder, "values.yaml");
  writeFileSync(values, stringify(hubValues));
  const restoreDefaults = dropNewDefaults(charts);
  const install = ["install", "landscaper", charts.path(stackChart), "--create-namespace", "--values", values];
  await helmIn(oldNamespace).run(...install);
  restoreDefaults();
  const first = {
    "landscaper-core": await landscape.start("landscaper-core", oldNamespace),
    "mock-deployer": await landscape.start("mock-deployer", oldNamespace),
  };
  await fence.client.create(kubeResources.namespace, namespaceObject(oldNamespace));
  for (const name of environments) agents.push(await startAgent(name));

  async function startAgent(name: string): Promise<ServiceProcess<ProgramName>> {
    const text = await landscaper("agent", "bootstrap", "--environment", name, "--namespaces", "default");
    const { agent } = fromYaml(text) as AgentValues; // as the command prints it
    const file = join(folder, `${name}.landscaper`);
    writeFileSync(file, agent.landscaperClusterKubeconfig.kubeconfig, { mode: 0o600 });
    const service = await createServiceProcess<ProgramName>({
      name: "landscaper-agent",
      pod: `agent-of-${name}`,
      folder,
      kubeconfig: fence.kubeconfig,
      config: { name, namespace: oldNamespace, landscaperNamespace: oldNamespace, namespaces: ["default"] },
      args: ["--landscaper-kubeconfig", file, "--lease-namespace", oldNamespace],
    });
    processes.push(service);
    await service.start();
    return service;
  }
  return { ...landscape, first };
}

/** What the user has set. */
const hubValues = {
  enabled: { landscaperAgent: true, mockDeployer: true, manifestDeployer: false, helmDeployer: false },
  landscaper: {
    landscaper: { deployerManagement: { hubEnvironments: ["default"] } },
    // The charts of earlier releases did not ask for it.
    managementNamespace: { allowShared: true },
    // A Secret of the user, in the namespace of the release.
    nats: { secretRef: "nats" },
  },
};

/** Removes the default that places the agent, as in earlier releases of the stack. Returns a function that restores it. */
function dropNewDefaults(charts: PackedCharts): () => void {
  const file = join(charts.path(stackChart), "values.yaml");
  const text = readFileSync(file, "utf8");
  const without = text.replace("    inLandscaperNamespace: true\n", "");
  if (without === text) throw new Error(`${file}: expected the default inLandscaperNamespace`);
  writeFileSync(file, without);
  return () => writeFileSync(file, text);
}

function namespaceObject(name: string) {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

interface AgentValues {
  readonly agent: { readonly landscaperClusterKubeconfig: { readonly kubeconfig: string } };
}

interface DeploymentSpec {
  readonly template: { readonly spec: { readonly containers: readonly [{ readonly args: readonly string[] }] } };
}
