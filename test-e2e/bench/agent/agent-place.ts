// A cluster with a real node, a core that registers four deployers, and their charts: what an agent brings, and helm installs without one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubeResources } from "@landscaper/api";
import { findProgram, waitFor } from "@landscaper/testkit";
import { provideComponents } from "../../agent/deployer-components.ts";
import { startChartCluster, type ChartCluster } from "../../charts-node/chart-cluster.ts";
import type { ChartName } from "../../charts/packed-charts.ts";
import { tailOf } from "../../cluster/child.ts";

/** Names of registrations. */
export const deployers = ["manifest", "helm", "container", "mock"] as const;
export const chartOf = (deployer: (typeof deployers)[number]): ChartName => `${deployer}-deployer`;

/** Of deployer management, with the agent and all deployers; the core is in another one. */
export const deployerNamespace = "ls-system";
const images = "docker.io/landscaper";

export interface AgentPlace {
  readonly cluster: ChartCluster;
  /** Waits until the namespace of the deployers has no pods. */
  untilEmpty(): Promise<void>;
  stop(): Promise<void>;
}

/** On the node, which reaches no other place; it ends with the node. Returns HOST:PORT. */
async function startRegistry({ node }: ChartCluster, folder: string): Promise<string> {
  const program = findProgram("docker-registry");
  if (program === undefined) throw new Error("the program docker-registry is missing");
  const host = `${node.address}:5000`;
  const file = join(folder, "registry.json");
  const storage = { filesystem: { rootdirectory: join(folder, "registry") } };
  writeFileSync(file, JSON.stringify({ version: "0.1", log: { level: "error" }, storage, http: { addr: host } }));
  const { logFile } = node.startInNetwork("docker-registry", [program, "serve", file]);
  const isUp = async (): Promise<boolean> =>
    await fetch(`http://${host}/v2/`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(isUp, { describe: () => Promise.resolve(tailOf(logFile)) });
  return host;
}

export async function openAgentPlace(announce: (line: string) => void): Promise<AgentPlace> {
  announce("images, cluster and node ...");
  const cluster = await startChartCluster({ imagePrefix: images });
  const folder = mkdtempSync(join(tmpdir(), "landscaper-bench-agent-"));
  const stops: (() => unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
    async () => await cluster.stop(),
  ];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    announce("components and core ...");
    const repository = `http://${await startRegistry(cluster, folder)}/components`;
    await provideComponents({
      output: join(folder, "components"),
      images,
      repository,
      deployers: deployers.map(chartOf),
    });
    const deployerManagement = {
      deployerRepositoryContext: { type: "OCIRegistry", baseUrl: repository },
      deployers: Object.fromEntries(deployers.map((deployer) => [deployer, {}])),
    };
    await cluster.deploy("landscaper", "landscaper", { landscaper: { deployerManagement } });
  } catch (error) {
    await stop();
    throw error;
  }
  const { client } = cluster.environment;
  const options = { namespace: deployerNamespace };
  const untilEmpty = async (): Promise<void> => {
    const isEmpty = async (): Promise<boolean> => (await client.list(kubeResources.pod, options)).items.length === 0;
    await waitFor(isEmpty, { timeoutMs: 120_000, describe: () => cluster.describeLogs() });
  };
  return { cluster, untilEmpty, stop };
}
