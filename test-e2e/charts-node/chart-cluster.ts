// A cluster with a real node, and the real helm that installs the charts of this checkout on it: hub and target of what they start.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { kubeResources, type Pod } from "@landscaper/api";
import { findProgram, waitFor } from "@landscaper/testkit";
import { stringify } from "yaml";
import type { BuiltImage } from "../../scripts/images/build-images.ts";
import { packCharts, type ChartName, type PackedCharts } from "../charts/packed-charts.ts";
import type { Values } from "../charts/rendered-chart.ts";
import type { ClusterNode } from "../cluster/node.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { containerAbsence } from "../images/container.ts";
import { provideImages, readImages } from "../images/provided-images.ts";
import { oracleAbsence } from "../oracles/build-oracle.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { nodeAbsence } from "../src/clusters/node-absence.ts";

/** Why charts cannot be installed on a node here; undefined when they can. */
export function chartClusterAbsence(): string | undefined {
  const missing = ["buildah", "flock"].find((name) => findProgram(name) === undefined);
  if (missing !== undefined) return `images: the program ${missing} is missing`;
  return nodeAbsence() ?? containerAbsence() ?? oracleAbsence("helm");
}

/** Where the suites install the charts; ls-system is the namespace of deployer management, and has the Leases of deployers. */
export const systemNamespace = "landscaper-system";

export interface ChartCluster {
  readonly environment: Environment;
  readonly node: ClusterNode;
  readonly helm: RealHelm;
  readonly charts: PackedCharts;
  /** Those that the node knows. */
  readonly images: readonly BuiltImage[];
  /** `helm upgrade --install --wait` of a chart with these values. */
  deploy(release: string, chart: ChartName, values?: Values): Promise<void>;
  /** Pods of a service of a release that are not about to end. */
  podsOf(release: string, service?: string): Promise<Pod[]>;
  /** What the containers of all pods have printed, the ends of it. */
  describeLogs(): Promise<string>;
  /** Runs bin/landscaper; returns what it prints. */
  landscaper(...args: readonly string[]): Promise<string>;
  /** Path of a file that is gone with the cluster. */
  file(name: string, text: string): string;
  stop(): Promise<void>;
}

const command = join(import.meta.dirname, "../../bin/landscaper");
/** On a machine that does everything else as well. */
const helmMs = 300_000;

export interface ChartClusterOptions {
  /** Of the names under which the node knows the images. */
  readonly imagePrefix?: string;
}

/** Starts the cluster, without CRDs, and makes the images of this checkout known to its node. */
export async function startChartCluster({
  imagePrefix = "docker.io/landscaper",
}: ChartClusterOptions = {}): Promise<ChartCluster> {
  const prebuilt = process.env["E2E_IMAGES"];
  const images = prebuilt === undefined ? provideImages().images : readImages(prebuilt);
  const environment = await startEnvironment({ cluster: "real", services: [], node: true, api: false });
  const folder = mkdtempSync(join(tmpdir(), "landscaper-charts-node-"));
  const charts: PackedCharts = packCharts();
  const helm = createRealHelm(environment.hub.kubeconfig, systemNamespace, { timeoutMs: helmMs });
  const { client } = environment;
  const { node } = environment.hub;
  if (node === undefined) throw new Error("the cluster has no node");
  for (const { name, file } of images) node.importImages(file, `${imagePrefix}/${name}`);
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const kubeconfig = file("kubeconfig", environment.hub.kubeconfig);

  async function logOf({ metadata: { namespace, name = "" } }: Pod): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/log?tailLines=15`;
    const text = await client.request({ method: "GET", path, accept: "*/*", answer: "text" }).catch(String);
    return `--- ${name}\n${String(text)}`;
  }
  const allPods = async (labelSelector?: string): Promise<Pod[]> => {
    const options = { namespace: systemNamespace, ...(labelSelector === undefined ? {} : { labelSelector }) };
    return (await client.list(kubeResources.pod, options)).items;
  };
  const cluster: ChartCluster = {
    environment,
    node,
    helm,
    charts,
    images,
    file,
    async deploy(release, chart, values = {}) {
      const path = file(`${release}.yaml`, stringify(values));
      const words = ["upgrade", "--install", release, charts.path(chart), "-n", systemNamespace, "--create-namespace"];
      try {
        await helm.run(...words, "--values", path, "--wait", "--timeout", `${helmMs / 1000 - 10}s`);
      } catch (error) {
        const pods = (await allPods()).map(({ metadata, status }) => `${metadata.name}: ${JSON.stringify(status)}`);
        throw new Error(`${String(error)}\n${pods.join("\n")}\n${await cluster.describeLogs()}`, { cause: error });
      }
    },
    async podsOf(release, service) {
      const name = service === undefined ? "" : `,app.kubernetes.io/name=${service}`;
      const pods = await allPods(`app.kubernetes.io/instance=${release}${name}`);
      return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    },
    async describeLogs() {
      return (await Promise.all((await allPods()).map(logOf))).join("\n");
    },
    async landscaper(...args) {
      const env = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: kubeconfig };
      try {
        const { stdout } = await promisify(execFile)(command, args, { env, timeout: helmMs });
        return stdout;
      } catch (error) {
        throw new Error(`landscaper ${args.join(" ")}: ${String(error)}\n${await cluster.describeLogs()}`, {
          cause: error,
        });
      }
    },
    async stop() {
      charts.dispose();
      helm.dispose();
      rmSync(folder, { recursive: true, force: true });
      await environment.stop();
    },
  };
  return cluster;
}

/** Waits until all pods of releases have gone. */
export async function untilGone(cluster: ChartCluster, release: string): Promise<void> {
  const { client } = cluster.environment;
  const labelSelector = `app.kubernetes.io/instance=${release}`;
  const options = { namespace: systemNamespace, labelSelector };
  await waitFor(async () => (await client.list(kubeResources.pod, options)).items.length === 0);
}
