// The landscape of docs/guide/fenced-clusters.md: images and components in the registry, an agent inside the fence, deployers that are registered.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  kubeResources,
  productVersion,
  type DeployerRegistration,
  type KubeObject,
  type Pod,
  type ResourceType,
} from "@landscaper/api";
import { describeObject, waitFor } from "@landscaper/testkit";
import { componentNameOf } from "../../scripts/components/deployer-components.ts";
import { provideComponents } from "../agent/deployer-components.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { provideImages, readImages } from "../images/provided-images.ts";
import { grantInNamespace } from "../src/clusters/service-accounts.ts";
import { ensureNamespace } from "../src/clusters/service-token.ts";
import { startFencedCluster, type FencedCluster } from "./fenced-cluster.ts";

const root = join(import.meta.dirname, "../..");
/** Of deployer management on the landscaper cluster, and of agent and deployers inside. */
export const systemNamespace = "ls-system";

/** All waits here are for pods and processes of a loaded machine. */
export const waitMs = 180_000;

/** Deployers by the names of their registrations. */
export const deployers = {
  charts: { name: "helm-deployer", type: "landscaper.gardener.cloud/helm" },
  manifests: { name: "manifest-deployer", type: "landscaper.gardener.cloud/kubernetes-manifest" },
  programs: { name: "container-deployer", type: "landscaper.gardener.cloud/container" },
} as const;

export interface Fleet extends FencedCluster {
  /** An administrator's, inside. */
  readonly helm: RealHelm;
  /** Path of the packed chart of the agent. */
  readonly agentChart: string;
  /** Runs bin/landscaper as an administrator of the landscaper cluster. Returns what it prints. */
  landscaper(...args: readonly string[]): Promise<string>;
  /** Path of a file that is gone with the fleet. */
  file(name: string, text: string): string;
  /** From its component in the registry. */
  registrationOf(name: keyof typeof deployers): DeployerRegistration;
  /** Pods of the agent's namespace, inside. */
  pods(): Promise<readonly Pod[]>;
  /** What the containers of all Pods inside have printed; `lines` of each at most. */
  describeLogs(lines?: number): Promise<string>;
  /** Waits until the object of the landscaper cluster is so; says what pods and core have printed when it does not come to that. */
  until<T extends KubeObject>(
    type: ResourceType<T>,
    key: { readonly name: string; readonly namespace?: string },
    isMet: (object: T | undefined) => boolean,
  ): Promise<T | undefined>;
}

/** Starts everything but the agent. */
export async function startFleet(): Promise<Fleet> {
  const fenced = await startFencedCluster({
    services: ["landscaper-core"],
    configs: { "landscaper-core": { deployItemTimeouts: { pickup: "1m", grace: "5s" } } },
  });
  const folder = mkdtempSync(join(tmpdir(), "landscaper-fenced-"));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const { client: hub } = fenced.environment;
  const env = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: file("hub", fenced.environment.hub.kubeconfig) };
  const run = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, args, { env, maxBuffer: 1 << 26 })).stdout;
  const landscaper = async (...args: readonly string[]): Promise<string> =>
    await run(join(root, "bin/landscaper"), ...args);
  const images = `${fenced.registry.host}/landscaper`;
  const components = `http://${fenced.registry.host}/components`;
  const output = join(folder, "components");
  const helm = createRealHelm(fenced.fence.kubeconfig, systemNamespace, { timeoutMs: 200_000 });
  const stop = async (): Promise<void> => {
    helm.dispose();
    await fenced.stop();
    rmSync(folder, { recursive: true, force: true });
  };

  async function pushAll(): Promise<void> {
    const prebuilt = process.env["E2E_IMAGES"];
    const built = prebuilt === undefined ? provideImages().images : readImages(prebuilt);
    const needed = ["landscaper-agent", ...Object.values(deployers).map(({ name }) => name)];
    for (const image of built.filter(({ name }) => needed.some((prefix) => name.startsWith(prefix)))) {
      const to = `docker://${images}/${image.name}:${productVersion}`;
      await run("skopeo", "copy", "--dest-tls-verify=false", `oci-archive:${image.file}`, to);
    }
    const names = Object.values(deployers).map(({ name }) => name);
    await provideComponents({ output, images, repository: components, deployers: names });
  }

  try {
    await ensureNamespace(hub, systemNamespace);
    await Promise.all([grantInNamespace(hub, systemNamespace), pushAll()]);
  } catch (error) {
    await stop();
    throw error;
  }
  const { client } = fenced;
  const pods = async (): Promise<readonly Pod[]> =>
    (await client.list(kubeResources.pod, { namespace: systemNamespace })).items;
  const describeLogs = async (lines = 15): Promise<string> => {
    const logOf = async ({ metadata, status }: Pod): Promise<string> => {
      const path = `/api/v1/namespaces/${systemNamespace}/pods/${metadata.name}/log?tailLines=${lines}`;
      const text = await client.request({ method: "GET", path, accept: "*/*", answer: "text" }).catch(String);
      return `--- ${metadata.name} ${status?.phase}\n${String(text)}`;
    };
    return (await Promise.all((await pods()).map(logOf))).join("\n");
  };
  async function until<T extends KubeObject>(
    type: ResourceType<T>,
    key: { readonly name: string; readonly namespace?: string },
    isMet: (object: T | undefined) => boolean,
  ): Promise<T | undefined> {
    let last: T | undefined;
    const check = async (): Promise<boolean> => {
      last = await hub.find(type, key);
      return isMet(last);
    };
    const describe = async (): Promise<string> =>
      [describeObject(last), fenced.environment.describeLogs(), await describeLogs()].join("\n");
    await waitFor(check, { timeoutMs: waitMs, intervalMs: 100, describe });
    return last;
  }
  return {
    ...fenced,
    helm,
    agentChart: join(output, "charts", `landscaper-agent-${productVersion}.tgz`),
    landscaper,
    file,
    registrationOf: (name) => ({
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "DeployerRegistration",
      metadata: { name },
      spec: {
        types: [deployers[name].type],
        installationTemplate: {
          componentDescriptor: {
            ref: {
              componentName: componentNameOf(deployers[name].name),
              version: productVersion,
              repositoryContext: { type: "ociRegistry", baseUrl: components },
            },
          },
          blueprint: { ref: { resourceName: "blueprint" } },
        },
      },
    }),
    pods,
    describeLogs,
    until,
    stop,
  };
}
