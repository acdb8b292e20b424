import { readFileSync } from "node:fs";
import { type Client, type Connection, connectionFromKubeconfig, createClient } from "@landscaper/controller-runtime";
import { startLocalCluster, type Refusal } from "@landscaper/local-cluster";
import { type MissingBinaries, provideBinaries } from "../../cluster/binaries.ts";
import type { Child } from "../../cluster/child.ts";
import { tailOf } from "../../cluster/child.ts";
import type { ClusterNode } from "../../cluster/node.ts";
import { provideNodeTools } from "../../cluster/node-tools.ts";
import { type EtcdCopy, startRealCluster } from "../../cluster/real-cluster.ts";
import { type Server, playPods } from "@landscaper/testkit";
import {
  describeRefusals,
  followAuditLog,
  noteUses,
  usageFolderVariable,
  type Access,
  type AccessLog,
} from "./access-log.ts";
import type { ServiceName } from "../services/service-process.ts";
import { installApi } from "./install-api.ts";
import type { ClusterName } from "./selected-clusters.ts";
import { createServiceAccounts, servicesGroup } from "./service-accounts.ts";
import { createAdminToken, ensureHarnessNamespace, harnessNamespace } from "./service-token.ts";
import { borrowCluster, isTestWorker, sharesClusters, type OwnedCluster } from "./worker-clusters.ts";

/** An API server that the suites work on, with CRDs and admission policies in place unless the test does without. */
export interface TestCluster {
  readonly name: ClusterName;
  readonly url: string;
  /** PEM; undefined when the system's authorities vouch for the server. */
  readonly ca: string | undefined;
  /** Admin. */
  readonly kubeconfig: string;
  readonly client: Client;
  /** Bearer token with all rights, for Targets and proxies before them. */
  readonly token: string;
  /** Bearer token of the service's account: it has the rights that the chart grants. */
  readonly serviceToken: (service: ServiceName) => string;
  /** Whether Deployments and ReplicaSets are acted on: else the test writes their status, too. */
  readonly runsWorkloadControllers: boolean;
  /** The node, where the cluster was started with one. */
  readonly node: ClusterNode | undefined;
  /** Of a control plane of ours on loopback; undefined elsewhere. */
  readonly etcdUrl: string | undefined;
  /** Of a control plane of ours that is `isOwn`. */
  readonly etcdCopy: EtcdCopy | undefined;
  /** The processes of the control plane; none when it is not ours or in this process. */
  readonly children: readonly Child[];
  /** Throws when the API server has refused a request of a service for want of a right. */
  stop(): Promise<void>;
}

export interface TestClusterOptions {
  /**
   * Workloads of all kinds go through their status: the embedded cluster simulates them, on the real one its controllers work and the pods are
   * played. Default: only Deployments and ReplicaSets of the real one have controllers, and nobody runs their pods.
   */
  readonly workloads?: boolean;
  /** A node really runs the pods of the real cluster, whose only image is `toolsImage` of ../cluster/node-image.ts. See src/clusters/node-absence.ts. */
  readonly node?: boolean | undefined;
  /** Where the API server of the real cluster listens, see RealClusterOptions. */
  readonly address?: string | undefined;
  /** True: no other suite gets the real cluster, so that it can be put back by its `etcdCopy`. */
  readonly isOwn?: boolean | undefined;
  /** False: a target alone, on which no service has an account. */
  readonly services?: boolean;
  /** False: a cluster as it comes, without CRDs and admission policies; the test installs them. */
  readonly api?: boolean;
}

interface Started {
  readonly kubeconfig: string;
  /** Of a control plane of our own, unless its network is in a sandbox. */
  readonly etcdUrl?: string;
  readonly etcdCopy?: EtcdCopy;
  readonly runsWorkloadControllers: boolean;
  readonly children: readonly Child[];
  readonly node?: ClusterNode | undefined;
  /** Of the services' requests; absent where nobody keeps one. */
  readonly accessLog?: AccessLog | undefined;
  stop(): Promise<void>;
}

async function startEmbedded({ workloads = false }: TestClusterOptions): Promise<Started> {
  // As the real one: who has no rights can do nothing.
  const refusals = collectRefusals();
  const { onRefusal } = refusals;
  const cluster = await startLocalCluster({ simulateWorkloads: workloads, authorization: "rbac", onRefusal });
  return {
    kubeconfig: cluster.kubeconfig,
    accessLog: refusals,
    runsWorkloadControllers: workloads,
    children: [],
    stop: () => cluster.stop(),
  };
}

/** What the embedded server refuses to the services. */
function collectRefusals(): AccessLog & { readonly onRefusal: (refusal: Refusal) => void } {
  let found: Access[] = [];
  return {
    onRefusal: ({ user, ...request }) => {
      const [, account] = user.split(`system:serviceaccount:${harnessNamespace}:`);
      if (account !== undefined) found.push({ account, ...request, isAllowed: false, role: undefined });
    },
    take() {
      const taken = found;
      found = [];
      return taken;
    },
  };
}

function orThrow<T extends object>(found: T | MissingBinaries): T {
  if ("missing" in found) throw new Error(`${found.missing}; ${found.hint}`);
  return found;
}

async function startReal({
  workloads = false,
  node = false,
  api = true,
  address,
}: TestClusterOptions): Promise<Started> {
  const userFile = process.env["KUBECONFIG_E2E"];
  if (userFile !== undefined) {
    const kubeconfig = readFileSync(userFile, "utf8");
    return { kubeconfig, runsWorkloadControllers: true, children: [], stop: async () => undefined };
  }
  const announce = (line: string): boolean => process.stderr.write(`e2e: ${line}\n`);
  const binaries = orThrow(provideBinaries(announce));
  const beforeControllers = async (kubeconfig: string): Promise<void> => {
    const client = createClient({ connection: connectionFromKubeconfig(kubeconfig, { allowFiles: true }) });
    if (api) await installApi(client);
    await client.close();
  };
  const moreControllers = workloads ? workloadControllers : [];
  const tools = node ? { node: orThrow(provideNodeTools(announce)) } : {};
  const options = { binaries, beforeControllers, moreControllers, address, ...tools };
  // The benches measure the services, and nothing of the API server's log of them.
  const cluster = await startRealCluster({ ...options, ...(isTestWorker() ? { auditedGroup: servicesGroup } : {}) });
  const usage = process.env[usageFolderVariable] !== undefined;
  const accessLog = cluster.auditLog === undefined ? undefined : followAuditLog(cluster.auditLog, { usage });
  return { ...cluster, accessLog, runsWorkloadControllers: true };
}

const workloadControllers = [
  "statefulset-controller",
  "daemonset-controller",
  "job-controller",
  "ttl-after-finished-controller",
  "disruption-controller",
];

/** Plays the pods of a real cluster until the returned function is called. */
function playPodsOf(server: Server): () => Promise<void> {
  const stop = new AbortController();
  const playing = playPods(server, stop.signal);
  // The stop function rejects with the failure.
  playing.catch(() => undefined);
  return async () => {
    stop.abort();
    await playing;
  };
}

/** The bearer token that the admin connection has, or one made for a service account with all rights. */
async function tokenOf(client: Client, connection: Connection): Promise<string> {
  return connection.token ?? (await createAdminToken(client));
}

/**
 * Starts the named cluster (or connects to KUBECONFIG_E2E) and makes it ready for Landscaper. The suites of a worker have one real cluster after the
 * other, each as it came; one with a node is the suite's alone.
 */
export async function startTestCluster(name: ClusterName, options: TestClusterOptions = {}): Promise<TestCluster> {
  const isAsOthers = options.node !== true && options.address === undefined && options.isOwn !== true;
  const isShared = name === "real" && isAsOthers && process.env["KUBECONFIG_E2E"] === undefined;
  if (!isShared || !sharesClusters()) return (await startOwn(name, options)).cluster;
  const { workloads = false, api = true } = options;
  return await borrowCluster(JSON.stringify({ workloads, api }), async () => await startOwn(name, options));
}

/** Throws for what was refused since the last time, and notes which rights were used. */
function settleAccess(log: AccessLog | undefined): void {
  const accesses = log?.take() ?? [];
  const folder = process.env[usageFolderVariable];
  if (folder !== undefined) noteUses(accesses, folder);
  const refusals = describeRefusals(accesses);
  if (refusals.length > 0) {
    throw new Error(`the API server has refused requests of services for want of a right:\n${refusals.join("\n")}`);
  }
}

/** An API server that starts refuses requests until it has read the rights: that is no fault of the services. */
function copyOf({ etcdCopy, accessLog }: Started): EtcdCopy | undefined {
  if (etcdCopy === undefined) return undefined;
  return {
    take: async () => await etcdCopy.take(),
    putBack: async () => {
      settleAccess(accessLog);
      await etcdCopy.putBack();
      accessLog?.take();
    },
  };
}

async function startOwn(name: ClusterName, options: TestClusterOptions): Promise<OwnedCluster> {
  const started = name === "embedded" ? await startEmbedded(options) : await startReal(options);
  const connection = connectionFromKubeconfig(started.kubeconfig, { allowFiles: true });
  const client = createClient({ connection, userAgent: "landscaper-e2e" });
  try {
    if (options.api !== false) await installApi(client);
    await ensureHarnessNamespace(client);
    const [token, tokens] = await Promise.all([
      tokenOf(client, connection),
      options.services === false ? new Map<string, string>() : createServiceAccounts(client),
    ]);
    const server = { url: connection.server, token, caPem: connection.ca };
    const stopPods = options.workloads === true && name === "real" ? playPodsOf(server) : undefined;
    const cluster: TestCluster = {
      children: started.children,
      node: started.node,
      etcdUrl: started.etcdUrl,
      etcdCopy: options.isOwn === true ? copyOf(started) : undefined,
      kubeconfig: started.kubeconfig,
      runsWorkloadControllers: started.runsWorkloadControllers,
      name,
      url: connection.server,
      ca: connection.ca,
      client,
      token,
      serviceToken: (account) => {
        const found = tokens.get(account);
        if (found === undefined) throw new Error(`there is no account ${account}`);
        return found;
      },
      stop: async () => {
        await stopPods?.();
        await client.close();
        try {
          settleAccess(started.accessLog);
        } finally {
          await started.stop();
        }
      },
    };
    return { cluster, etcdUrl: started.etcdUrl ?? "", onReturn: () => settleAccess(started.accessLog) };
  } catch (error) {
    const logs = started.children.map((child) => `--- ${child.name}\n${tailOf(child.logFile)}`).join("\n");
    await client.close();
    await started.stop();
    throw new Error(`the ${name} cluster cannot be set up\n${logs}`, { cause: error });
  }
}
