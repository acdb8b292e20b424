import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePorts, waitFor } from "@landscaper/testkit";
import type { ImageConfig } from "../../scripts/images/oci-archive.ts";
import type { ServiceName } from "../src/services/service-process.ts";
import type { Container } from "./container.ts";
import { startContainer } from "./container.ts";

export interface ImageServiceOptions {
  readonly name: ServiceName;
  readonly image: ImageConfig["config"];
  /** Of the unpacked image. */
  readonly rootfs: string;
  /** Scratch folder of this container alone. */
  readonly folder: string;
  /** Of the landscaper cluster. */
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly memoryMiB?: number;
  readonly hasTmp?: boolean;
}

/** A service in a container of its image, as its chart starts it. */
export interface ImageService extends Container {
  /** Status of a path of its health server, such as "/readyz"; 0 while nothing listens. */
  probe(path: string): Promise<number>;
  /** Text of /metrics. */
  metrics(): Promise<string>;
  /** Resolves when /readyz answers 200. */
  untilReady(): Promise<void>;
}

const readyMs = 60_000;
const kubeconfigPath = "/app/ls/landscaper-cluster-kubeconfig/kubeconfig";

/** Starts a service from its unpacked image. */
export async function startImageService(options: ImageServiceOptions): Promise<ImageService> {
  const { name, folder, kubeconfig, namespace } = options;
  mkdirSync(folder, { recursive: true });
  const kubeconfigFile = join(folder, "kubeconfig");
  writeFileSync(kubeconfigFile, kubeconfig);
  // The user of the image reads it, as a Secret that is mounted.
  chmodSync(kubeconfigFile, 0o644);
  const [port = 0] = await findFreePorts(1);
  const leases = name.endsWith("-deployer") ? ["--lease-namespace", namespace] : [];
  const container = await startContainer({
    ...options,
    args: ["--kubeconfig", kubeconfigPath, "--metrics-port", String(port), ...leases],
    env: { MY_POD_NAME: `${name}-0`, MY_POD_NAMESPACE: namespace },
    mounts: [{ from: kubeconfigFile, to: kubeconfigPath }],
  });
  const get = async (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5000) });
  async function probe(path: string): Promise<number> {
    try {
      const answer = await get(path);
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }
  async function isReady(): Promise<boolean> {
    if (container.child.ended !== undefined) throw new Error(`${name} has ended (${container.child.ended})`);
    return (await probe("/readyz")) === 200;
  }
  return {
    ...container,
    probe,
    metrics: async () => (await get("/metrics")).text(),
    async untilReady() {
      const describe = (): string => `${name} is not ready: ${container.log()}`;
      await waitFor(isReady, { timeoutMs: readyMs, intervalMs: 10, describe });
    },
  };
}
