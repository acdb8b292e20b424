// Where the bench runs container items: on a real node, or with played Pods, which need none.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { deployerApiVersion, type DeployItemSpec } from "@landscaper/api";
import { HostPods, startPodRunner, type ProgramContext } from "@landscaper/container-deployer-lib/testing";
import { createDeployerScope, type DeployerScope } from "@landscaper/deployer/testing";
import { hostNamespace, startContainerEnvironment, toolsImage } from "../../containers/container-environment.ts";
import { startEnvironment, type Environment } from "../../src/services/environment.ts";
import { createNamespace } from "../measure/create-namespace.ts";

export interface ContainerPlace {
  /** What runs the Pods, for the report. */
  readonly description: string;
  readonly environment: Environment;
  /** Configuration of the container deployer. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly pods: HostPods;
  /** Of the items. */
  readonly scope: DeployerScope;
  stop(): Promise<void>;
}

const timeoutMs = 300_000;
const exported = '{"value":"one"}';

/** An item whose program exports a value, and does nothing else. */
export function itemSpec(): DeployItemSpec {
  return {
    type: "landscaper.gardener.cloud/container",
    timeout: "10m",
    config: {
      apiVersion: deployerApiVersion("container"),
      kind: "ProviderConfiguration",
      image: toolsImage,
      command: ["sh", "-euc", `echo '${exported}' > "$EXPORTS_PATH"`],
      importValues: { value: "one" },
    },
  };
}

/** What the command of `itemSpec` does, for Pods that are played. */
async function exportValue({ env }: ProgramContext): Promise<number> {
  const file = env["EXPORTS_PATH"] ?? "";
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, exported);
  return await Promise.resolve(0);
}

export async function openPlace(kind: "node" | "played"): Promise<ContainerPlace> {
  return kind === "node" ? await openNode() : await openPlayed();
}

async function openNode(): Promise<ContainerPlace> {
  const containers = await startContainerEnvironment({ programs: {} });
  const stop = async (): Promise<void> => containers.stop();
  const { environment, configuration } = containers;
  return { description: "Pods on a real node", configuration, ...(await openScope(environment)), stop };
}

async function openPlayed(): Promise<ContainerPlace> {
  const configuration = { namespace: hostNamespace };
  const environment = await startEnvironment({
    cluster: "embedded",
    services: ["container-deployer"],
    configs: { "container-deployer": configuration },
  });
  const { client, hub } = environment;
  const runner = startPodRunner({
    client,
    server: hub.url,
    ca: hub.ca,
    namespace: hostNamespace,
    program: exportValue,
  });
  const stop = async (): Promise<void> => {
    await runner.stop();
    await environment.stop();
  };
  const description = "played Pods on the embedded API server: its times say nothing of a cluster";
  return { description, configuration, ...(await openScope(environment)), stop };
}

async function openScope(environment: Environment): Promise<Pick<ContainerPlace, "environment" | "pods" | "scope">> {
  const { client: hubClient, targetKubeconfig } = environment;
  const namespace = await createNamespace(environment, "bench-containers");
  const scope = createDeployerScope({ hubClient, targetKubeconfig, namespace, timeoutMs });
  return { environment, pods: new HostPods(hubClient, hostNamespace), scope };
}
