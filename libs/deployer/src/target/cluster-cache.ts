import { createHash } from "node:crypto";
import type { Target } from "@landscaper/api";
import type { Client, Connection } from "@landscaper/controller-runtime";
import { createTargetCluster, type TargetCluster } from "@landscaper/resources";
import type { ClusterAccess } from "./cluster-access.ts";
import { readHostSecret, type HostSecretOptions } from "./host-secret.ts";
import { connectionOf, toReachable, type ConnectOptions, type ReachableAccess } from "./target-connection.ts";

export interface ClusterCacheOptions extends ConnectOptions {
  readonly createClient: (connection: Connection) => Client;
  /** The Secret of the host that Targets may name. Default: none. */
  readonly hostSecret?: Omit<HostSecretOptions, "signal"> | undefined;
  /** Clients without user that are kept at most. */
  readonly maxIdle?: number | undefined;
}

/** Clients of target clusters, one for equal access data, shared by all items (with connections and discovery). */
export interface ClusterCache {
  /** With the kubeconfig that is in a Secret of the host. Throws LandscaperError where that is not for this process, or cannot be read. */
  resolve(target: Target, access: ClusterAccess, signal: AbortSignal): Promise<ReachableAccess>;
  /** Throws LandscaperError for a Target whose tokens must not go to its server. */
  admit(target: Target, access: ReachableAccess): Promise<void>;
  /** A cluster to use until `release`. Throws LandscaperError for a kubeconfig that is broken or names files or plugins. */
  acquire(access: ReachableAccess): { readonly cluster: TargetCluster; readonly release: () => void };
  /** URL of the server that the Target led to when it was used last in this process. */
  serverOf(target: Target): string | undefined;
  noteServer(target: Target, server: string): void;
  /** Keeps a cluster from here until the returned function is called. */
  hold(cluster: TargetCluster): () => void;
  close(): Promise<void>;
}

interface Entry {
  readonly cluster: TargetCluster;
  users: number;
}

const defaultMaxIdle = 100;
/** Targets whose server is remembered. */
const maxServers = 10_000;

export function createClusterCache(options: ClusterCacheOptions): ClusterCache {
  /** In order of last use, because an entry is put to the end whenever it is acquired. */
  const entries = new Map<string, Entry>();
  const servers = new Map<string, string>();
  const evict = (): void => {
    const idle = [...entries].filter(([, { users }]) => users === 0);
    for (const [key, { cluster }] of idle.slice(0, Math.max(0, idle.length - (options.maxIdle ?? defaultMaxIdle)))) {
      entries.delete(key);
      void cluster.client.close();
    }
  };
  const use = (entry: Entry): (() => void) => {
    entry.users++;
    return () => {
      entry.users--;
      evict();
    };
  };
  return {
    async resolve(target, access, signal) {
      const { hostSecret } = options;
      if (access.type !== "hostSecret" || hostSecret === undefined) return toReachable(target, access);
      const text = await readHostSecret(target, access.ref, { ...hostSecret, signal });
      return { type: "kubeconfig", text, isOwn: true };
    },
    async admit(target, access) {
      await options.oidc?.check(target, access);
    },
    acquire(access) {
      const key = createHash("sha256").update(JSON.stringify(access)).digest("hex");
      const entry = entries.get(key) ?? {
        cluster: createTargetCluster(options.createClient(connectionOf(access, options))),
        users: 0,
      };
      entries.delete(key);
      entries.set(key, entry);
      return { cluster: entry.cluster, release: use(entry) };
    },
    serverOf: ({ metadata }) => servers.get(metadata.uid ?? ""),
    noteServer({ metadata: { uid = "" } }, server) {
      servers.delete(uid);
      servers.set(uid, server);
      const [oldest = ""] = servers.keys();
      if (servers.size > maxServers) servers.delete(oldest);
    },
    hold(cluster) {
      const held = [...entries.values()].find((entry) => entry.cluster.client === cluster.client);
      // A deployer may have a cluster of its own, which it closes itself.
      return held === undefined ? (): void => {} : use(held);
    },
    async close() {
      const clusters = [...entries.values()].map(({ cluster }) => cluster);
      entries.clear();
      await Promise.all(clusters.map(({ client }) => client.close()));
    },
  };
}
