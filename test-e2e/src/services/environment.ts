import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@landscaper/controller-runtime";
import { tailOf } from "../../cluster/child.ts";
import { createKubeconfig, createNatsServer, programAbsence, type NatsServer } from "@landscaper/testkit";
import type { ClusterName } from "../clusters/selected-clusters.ts";
import type { ServiceName, ServiceProcess } from "./service-process.ts";
import { createServiceProcess, serviceNames } from "./service-process.ts";
import type { TestCluster } from "../clusters/test-cluster.ts";
import { startTestCluster } from "../clusters/test-cluster.ts";
import type { TestNamespace } from "../namespaces/test-namespace.ts";
import { createTestNamespace } from "../namespaces/test-namespace.ts";

export interface EnvironmentOptions {
  readonly cluster: ClusterName;
  /** Those that the suite works with: the start of each takes half a second of processor time, or more. */
  readonly services: readonly ServiceName[];
  /** --config files by service. */
  readonly configs?: Partial<Record<ServiceName, Readonly<Record<string, unknown>>>>;
  /** Further flags by service. */
  readonly args?: Partial<Record<ServiceName, readonly string[]>>;
  /** Starts NATS when it is installed. */
  readonly nats?: boolean;
  /** The target's workloads go through their status, see TestClusterOptions. */
  readonly workloads?: boolean;
  /** A node runs the pods, see TestClusterOptions; only on the real cluster. */
  readonly node?: boolean;
  /** Where the hub's API server listens, see TestClusterOptions. */
  readonly address?: string;
  /** The hub can be put back to an earlier state, see TestClusterOptions. */
  readonly isOwn?: boolean;
  /** False: the hub as it comes, see TestClusterOptions. */
  readonly api?: boolean;
  /** False: the hub is its own target, e.g. to watch all requests of a deployer in one place. */
  readonly separateTarget?: boolean;
  /** The target is a cluster of its own of this name, such as one that outlives what happens to the hub. Default: as the hub. */
  readonly target?: ClusterName;
  /** Kubeconfig of a service when it is not to talk to the hub directly; it needs the token of the service's account. */
  readonly kubeconfigFor?: (service: ServiceName, hub: TestCluster) => Promise<string | undefined>;
  /** Kubeconfig for Targets when services are not to talk to the target directly. */
  readonly targetKubeconfig?: () => string;
  /** How far (ms) the clocks of services are ahead; negative numbers: behind. */
  readonly clocksAheadMs?: Partial<Record<ServiceName, number>>;
  /** "debug" by default. */
  readonly logLevel?: string;
  /** True: services that end by themselves are started again; false: that is a failure of the suite. */
  readonly restarts?: boolean;
  /** False: the test starts the services when its clusters hold what they are to find. */
  readonly startsServices?: boolean;
}

/**
 * Hub and target cluster with the services as processes of their own, each under an account with the rights that its chart grants. The real target is the hub's API server under another
 * identity (the token of an account with all rights): one control plane less to start, and the only way with KUBECONFIG_E2E.
 */
export interface Environment {
  readonly hub: TestCluster;
  readonly target: TestCluster;
  readonly client: Client;
  readonly targetClient: Client;
  /** Kubeconfig for Targets. */
  readonly targetKubeconfig: string;
  readonly services: readonly ServiceProcess[];
  readonly nats: NatsServer | undefined;
  service(name: ServiceName): ServiceProcess;
  /** A new namespace on the hub and one on the target. */
  namespace(name: string): Promise<TestNamespace>;
  /** The ends of the services' logs, for messages. */
  describeLogs(): string;
  stop(): Promise<void>;
}

function tokenKubeconfig(cluster: TestCluster, token: string): string {
  return createKubeconfig({ name: "e2e", server: cluster.url, ca: cluster.ca, user: { token } });
}

/** The others run pods. */
export const servicesWithoutNode = serviceNames.filter((name) => name !== "container-deployer");

interface Parts {
  readonly options: EnvironmentOptions;
  readonly folder: string;
  readonly hub: TestCluster;
  readonly nats: NatsServer | undefined;
}

/** Configuration of a core that updates CRDs, but leaves the policies for Environment accounts to the cluster. */
export const updatingCore = {
  "landscaper-core": { crdManagement: { forceUpdate: true }, deployerManagement: { disable: true } },
} as const;

/** Suites share the clusters: a core must not replace their policies, which match the accounts of every namespace. */
export const sharedClusterCore = { crdManagement: { forceUpdate: false } } as const;

function configOf(name: ServiceName, { configs }: EnvironmentOptions): Readonly<Record<string, unknown>> | undefined {
  const config = configs?.[name];
  return name === "landscaper-core" ? { ...sharedClusterCore, ...config } : config;
}

async function prepareServices({ options, folder, hub, nats }: Parts): Promise<ServiceProcess[]> {
  const services = await Promise.all(
    options.services.map(async (name) =>
      createServiceProcess({
        name,
        folder,
        kubeconfig: (await options.kubeconfigFor?.(name, hub)) ?? tokenKubeconfig(hub, hub.serviceToken(name)),
        config: configOf(name, options),
        args: options.args?.[name],
        natsUrl: nats?.url,
        restarts: options.restarts,
        logLevel: options.logLevel,
        clockAheadMs: options.clocksAheadMs?.[name],
      }),
    ),
  );
  if (options.startsServices === false) return services;
  const results = await Promise.allSettled(services.map(async (service) => service.start()));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(services.map(async (service) => service.kill()));
    throw failed.reason;
  }
  return services;
}

export async function startEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-"));
  const { target: targetName = options.cluster } = options;
  const separate = options.separateTarget !== false && (targetName === "embedded" || targetName !== options.cluster);
  const workloads = options.workloads === true;
  const hub = await startTestCluster(options.cluster, {
    workloads: workloads && !separate,
    node: options.node,
    address: options.address,
    isOwn: options.isOwn,
    api: options.api !== false,
  });
  const target = separate ? await startTestCluster(targetName, { workloads, services: false }) : hub;
  const nats =
    options.nats === true && programAbsence("nats-server") === undefined ? await createNatsServer() : undefined;
  await nats?.start();
  const stopClusters = async (): Promise<void> => {
    await nats?.remove();
    if (separate) await target.stop();
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  let services: ServiceProcess[];
  try {
    services = await prepareServices({ options, folder, hub, nats });
  } catch (error) {
    await stopClusters();
    throw error;
  }

  const namespaces: TestNamespace[] = [];
  const environment: Environment = {
    hub,
    target,
    client: hub.client,
    targetClient: target.client,
    targetKubeconfig: options.targetKubeconfig?.() ?? tokenKubeconfig(target, target.token),
    services,
    nats,
    service(name) {
      const found = services.find((service) => service.name === name);
      if (found === undefined) throw new Error(`this environment runs no ${name}`);
      return found;
    },
    async namespace(name) {
      const created = await createTestNamespace(environment, name);
      namespaces.push(created);
      return created;
    },
    describeLogs: () => services.map(({ name, logFile }) => `--- ${name}\n${tailOf(logFile, 8)}`).join("\n"),
    async stop() {
      // Only a cluster of the user's outlives us; ours takes its namespaces along.
      if (process.env["KUBECONFIG_E2E"] !== undefined) await Promise.all(namespaces.map(async (each) => each.remove()));
      await Promise.all(services.map(async (service) => service.stop()));
      const crashed = options.restarts === true ? [] : services.filter(({ crashes }) => crashes.length > 0);
      const problems = crashed.map(({ name, crashes }) => `${name} ended by itself: ${crashes.join(", ")}`);
      const logs = problems.length > 0 ? environment.describeLogs() : "";
      await stopClusters();
      if (problems.length > 0) throw new Error(`${problems.join("\n")}\n${logs}`);
    },
  };
  return environment;
}
