import { type ApiProxy, startApiProxy, isJobWrite } from "@landscaper/testkit";
import { sharedClusterCore } from "../src/services/environment.ts";
import type { ServiceOptions, ServiceProcess } from "../src/services/service-process.ts";
import { createServiceProcess } from "../src/services/service-process.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import type { AcceptedWrite } from "./audit-leaders.ts";
import { readWrite } from "./audit-leaders.ts";

/**
 * A core that is elected, or a deployer that shares its items, in a process of its own; what it writes is recorded by the proxy
 * before it.
 */
export interface CoreReplica {
  readonly pod: string;
  readonly service: ServiceProcess;
  readonly proxy: ApiProxy;
  /** What the API server has carried out, oldest first. */
  readonly writes: readonly AcceptedWrite[];
  /** "METHOD path" of all writes that were answered, also of those that were refused. */
  readonly attempts: readonly string[];
  stop(): Promise<void>;
}

export interface CoreReplicaOptions {
  readonly hub: TestCluster;
  readonly folder: string;
  /** Where the Leases are; see `grantInNamespace`. */
  readonly podNamespace: string;
  readonly leaseSeconds: number;
  /** Default: the core. */
  readonly service?: Pick<ServiceOptions, "name" | "args" | "config" | "isUnnamed">;
}

/** Starts a replica and waits until it is ready to lead. */
export async function startCoreReplica(options: CoreReplicaOptions, pod: string): Promise<CoreReplica> {
  const { hub, folder, podNamespace, leaseSeconds } = options;
  const writes: AcceptedWrite[] = [];
  const attempts: string[] = [];
  const proxy = await startApiProxy({
    upstream: { url: hub.url, ca: hub.ca },
    token: hub.serviceToken(options.service?.name ?? "landscaper-core"),
    onAnswer: (answer) => {
      const write = readWrite(pod, answer, performance.now());
      if (write !== undefined) writes.push(write);
      if (isJobWrite(answer.method, answer.path)) attempts.push(`${answer.method} ${answer.path}`);
    },
  });
  const service = await createServiceProcess({
    name: "landscaper-core",
    config: sharedClusterCore,
    args: ["--leader-elect", `--leader-elect-lease-duration=${leaseSeconds}s`],
    ...options.service,
    pod,
    podNamespace,
    folder,
    kubeconfig: proxy.kubeconfig,
    logLevel: "info",
  });
  const stop = async (): Promise<void> => {
    await service.stop();
    await proxy.stop();
  };
  try {
    await service.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { pod, service, proxy, writes, attempts, stop };
}
