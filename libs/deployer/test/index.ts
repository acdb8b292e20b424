// For tests of deployers: a hub and a target cluster, and somebody who plays the Landscaper's part of the contract.
import {
  finalizer,
  isJobOpen,
  kubernetesClusterTargetType,
  resources,
  withGeneration,
  type DeployItem,
  type DeployItemSpec,
  type DeployItemStatus,
  type Target,
} from "@landscaper/api";
import {
  createClient,
  createManager,
  LeadershipLostError,
  type Client,
  type Clock,
  type Connection,
} from "@landscaper/controller-runtime";
import { createTestLogger, waitFor, type TestLogger, startEmbeddedCluster } from "@landscaper/testkit";
import type { LocalCluster } from "@landscaper/local-cluster";
import { addDeployer, type AddDeployerOptions, type AddedDeployer } from "../src/add-deployer.ts";
import type { Deployer } from "../src/deployer-interface.ts";

export interface ItemTemplate {
  readonly name: string;
  readonly spec: DeployItemSpec;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

export interface StartedDeployer {
  readonly log: TestLogger;
  /** Open ones, on targets. */
  readonly watches: AddedDeployer["watches"];
  /** Resolves when the deployer has ended; with the reason when it did so by itself, because it lost its Lease. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export interface StartOptions<Config> extends Partial<Omit<AddDeployerOptions<Config>, "replica">> {
  readonly deployer: Deployer<Config>;
  readonly clock?: Clock | undefined;
  /** How long work in progress may go on after the stop. Default 1 s. */
  readonly gracefulStopMs?: number | undefined;
  /**
   * One of several. Its requests are those of user agent `<name of the deployer>/<pod>`. Default: a pod that is always the same, whose Lease
   * lasts for years: fake clocks leap.
   */
  readonly replica?: { readonly pod: string; readonly leaseDurationMs: number } | undefined;
}

/** One namespace of the hub and the equally named one of the target. */
export interface DeployerScope {
  readonly namespace: string;
  /** Creates a Target "cluster" for the target cluster. */
  createTarget(target?: Partial<Target>): Promise<Target>;
  /** Creates the item with its first job. */
  create(template: ItemTemplate): Promise<DeployItem>;
  /** Gives the item a new job, and before that new fields of its spec. */
  trigger(name: string, spec?: Partial<DeployItemSpec>): Promise<DeployItem>;
  /** Deletes the item and gives it the job that says so. */
  remove(name: string): Promise<void>;
  /** What the Landscaper writes on interrupt. */
  interrupt(name: string): Promise<void>;
  get(name: string): Promise<DeployItem>;
  waitFor(name: string, check: (status: DeployItemStatus) => boolean): Promise<DeployItem>;
  /** Waits until the present job has ended. */
  waitForEnd(name: string): Promise<DeployItem>;
  waitUntilGone(name: string): Promise<void>;
}

export interface DeployerFixture {
  readonly hub: LocalCluster;
  readonly target: LocalCluster;
  readonly hubClient: Client;
  readonly targetClient: Client;
  readonly hubConnection: Connection;
  start<Config>(options: StartOptions<Config>): StartedDeployer;
  scope(name: string): Promise<DeployerScope>;
  stop(): Promise<void>;
}

/** Starts both clusters; one fixture serves all tests of a file, each in a scope of its own. */
export async function createDeployerFixture(): Promise<DeployerFixture> {
  const [hubCluster, targetCluster] = await Promise.all([
    startEmbeddedCluster({ crds: true, userAgent: "landscaper" }),
    startEmbeddedCluster({ userAgent: "tester" }),
  ]);
  const { server: hub, client: hubClient, connection: hubConnection } = hubCluster;
  const { server: target, client: targetClient } = targetCluster;
  const started = new Set<StartedDeployer>();
  return {
    hub,
    target,
    hubClient,
    targetClient,
    hubConnection,
    start: (options) => {
      const deployer = startDeployer(hubConnection, options);
      started.add(deployer);
      return deployer;
    },
    scope: async (name) => {
      for (const cluster of [hubCluster, targetCluster]) await cluster.createNamespace(name);
      return createDeployerScope({ hubClient, targetKubeconfig: target.kubeconfig, namespace: name });
    },
    stop: async () => {
      await Promise.all([...started].map((deployer) => deployer.stop()));
      await Promise.all([hubCluster.stop(), targetCluster.stop()]);
    },
  };
}

const endlessMs = 10 * 365 * 24 * 3600 * 1000;

function startDeployer<Config>(connection: Connection, options: StartOptions<Config>): StartedDeployer {
  const { clock, gracefulStopMs = 1000, replica: own, ...others } = options;
  const { name } = options.deployer;
  const log = createTestLogger();
  const client = createClient({ connection, userAgent: own === undefined ? name : `${name}/${own.pod}` });
  const manager = createManager({ name: "deployer", client, log, clock, gracefulStopMs });
  const added = addDeployer(manager, {
    identity: "test-deployer",
    replica: { leaseNamespace: "default", ...(own ?? { pod: "pod-0", leaseDurationMs: endlessMs }) },
    self: connection,
    ...others,
  });
  const stopping = new AbortController();
  const ended = manager.start(stopping.signal).catch((error: unknown) => {
    if (!(error instanceof LeadershipLostError)) throw error;
    return error;
  });
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort(new Error("the test ends"));
    await ended;
    await added.close();
    await client.close();
  };
  return { log, watches: added.watches, ended, stop: () => (stopped ??= stop()) };
}

export interface ScopeOptions {
  readonly hubClient: Client;
  readonly targetKubeconfig: string;
  readonly namespace: string;
  /** Patience of the waits in ms. Default 100 s: less than the time limit of a test in `npm test`, and enough for a busy machine. */
  readonly timeoutMs?: number | undefined;
}

let jobs = 0;

function nextJob(): DeployItemStatus {
  jobs++;
  return { jobID: `job-${jobs}`, jobIDGenerationTime: `${new Date().toISOString().slice(0, 19)}Z` };
}

/** Plays the Landscaper in a namespace that is there, on whatever cluster. */
export function createDeployerScope(options: ScopeOptions): DeployerScope {
  const { hubClient, targetKubeconfig, namespace, timeoutMs = 100_000 } = options;
  const get = (name: string): Promise<DeployItem> => hubClient.get(resources.deployItem, { namespace, name });
  const waitForItem: DeployerScope["waitFor"] = (name, check) =>
    waitFor(
      async () => {
        const item = await get(name);
        if (check(item.status ?? {})) return item;
        throw new Error(`DeployItem ${name} is not as expected: ${JSON.stringify(item.status)}`);
      },
      { timeoutMs },
    );
  /** Whoever writes beside us wins: read again, try again. */
  const change = (name: string, write: (item: DeployItem) => Promise<DeployItem>): Promise<DeployItem> =>
    waitFor(async () => write(await get(name)));
  const writeJob = (name: string): Promise<DeployItem> => {
    const job = nextJob();
    return change(name, (item) =>
      hubClient.updateStatus(resources.deployItem, { ...item, status: withGeneration({ ...item.status, ...job }) }),
    );
  };
  return {
    namespace,
    createTarget: (overrides = {}) =>
      hubClient.create(resources.target, {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "Target",
        spec: { type: kubernetesClusterTargetType, config: { kubeconfig: targetKubeconfig } },
        ...overrides,
        metadata: { name: "cluster", namespace, ...overrides.metadata },
      }),
    create: async ({ name, spec, annotations = {}, labels = {} }) => {
      const item = await hubClient.create(resources.deployItem, {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "DeployItem",
        metadata: { name, namespace, finalizers: [finalizer], annotations: { ...annotations }, labels: { ...labels } },
        spec,
      });
      return await hubClient.updateStatus(resources.deployItem, { ...item, status: withGeneration(nextJob()) });
    },
    trigger: async (name, spec) => {
      if (spec !== undefined) {
        await change(name, (item) =>
          hubClient.update(resources.deployItem, { ...item, spec: { ...item.spec, ...spec } }),
        );
      }
      return await writeJob(name);
    },
    remove: async (name) => {
      await hubClient.delete(resources.deployItem, { namespace, name });
      await writeJob(name);
    },
    interrupt: async (name) => {
      await change(name, (item) => {
        const now = `${new Date().toISOString().slice(0, 19)}Z`;
        const lastError = {
          operation: "InterruptOperation",
          reason: "InterruptOperation",
          message: "operation was interrupted",
          lastTransitionTime: now,
          lastUpdateTime: now,
        };
        const { jobID = "" } = item.status ?? {};
        const status = { ...item.status, phase: "Failed", jobIDFinished: jobID, lastError };
        return hubClient.updateStatus(resources.deployItem, { ...item, status });
      });
    },
    get,
    waitFor: waitForItem,
    waitForEnd: (name) => waitForItem(name, (status) => status.jobID !== undefined && !isJobOpen(status)),
    waitUntilGone: async (name) => {
      await waitFor(async () => (await hubClient.find(resources.deployItem, { namespace, name })) === undefined, {
        timeoutMs,
      });
    },
  };
}

/** The item's inventory as "Kind namespace/name", with "?" where the uid is not known. */
export function listInventory(item: DeployItem): string[] {
  const entries = item.status?.providerStatus?.["managedResources"];
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: { resource: { kind: string; namespace?: string; name: string; uid?: string } }) => {
    const { kind, namespace, name, uid } = entry.resource;
    return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}${uid === undefined ? " ?" : ""}`;
  });
}
