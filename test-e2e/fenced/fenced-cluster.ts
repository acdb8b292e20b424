// A cluster that nobody can connect to: it has a real node, and may dial a landscaper cluster and a registry of the host and nothing else.
import type { Client } from "@landscaper/controller-runtime";
import { connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { createKubeconfig } from "@landscaper/testkit";
import { fenceNode, type FencedNode } from "../cluster/fence.ts";
import type { ClusterNode } from "../cluster/node.ts";
import { registriesFolder } from "../cluster/node-files.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import type { ServiceName } from "../src/services/service-process.ts";
import { startTestCluster } from "../src/clusters/test-cluster.ts";

export interface FencedCluster {
  /** The landscaper cluster, with its core. The kubeconfig for Targets is one of the fenced cluster, of another account than any of Landscaper. */
  readonly environment: Environment;
  /** It has neither credentials nor TLS. */
  readonly registry: TestRegistry;
  /** Of the fenced cluster. */
  readonly node: ClusterNode;
  readonly fence: FencedNode;
  /** An administrator's, inside. */
  readonly client: Client;
  /** Address of the API server as it was reached before there was a fence, and until then it was. */
  readonly formerUrl: URL;
  stop(): Promise<void>;
}

export interface FencedClusterOptions {
  readonly services: readonly ServiceName[];
  readonly configs?: Partial<Record<ServiceName, Readonly<Record<string, unknown>>>>;
}

/** Starts both clusters and the registry, and then puts the fence up. */
export async function startFencedCluster(options: FencedClusterOptions): Promise<FencedCluster> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const host = await startTestCluster("real", { node: true, services: false, api: false });
    stops.push(async () => host.stop());
    const { node } = host;
    if (node === undefined) throw new Error("the cluster has no node");
    const { hostAddress: address } = node;
    const registry = await startTestRegistry({ address });
    stops.push(async () => registry.stop());
    const environment = await startEnvironment({
      cluster: "real",
      address,
      separateTarget: false,
      // Only deployers inside reach this API server.
      targetKubeconfig: () =>
        createKubeconfig({ name: "inside", server: host.url, ca: host.ca, user: { token: host.token } }),
      ...options,
    });
    stops.push(async () => environment.stop());
    allowPlainHttp(node, registry.host);
    const ports = [environment.hub.url, `http://${registry.host}`].map((url) => Number(new URL(url).port));
    const fence = await fenceNode(node, { kubeconfig: host.kubeconfig, ports });
    stops.push(async () => fence.stop());
    const client = createClient({
      connection: connectionFromKubeconfig(fence.kubeconfig),
      userAgent: "landscaper-e2e",
    });
    stops.push(async () => client.close());
    return { environment, registry, node, fence, client, formerUrl: new URL(host.url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** For images of pods. */
function allowPlainHttp(node: ClusterNode, registry: string): void {
  const folder = `${registriesFolder}/${registry}`;
  const text = `[host."http://${registry}"]\n  capabilities = ["pull", "resolve"]\n`;
  node.run(["bash", "-c", `mkdir -p '${folder}' && cat > '${folder}/hosts.toml' <<'END'\n${text}END`]);
}
