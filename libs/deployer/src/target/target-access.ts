import { LandscaperError, resources, type DeployItem, type Target } from "@landscaper/api";
import type { Reader } from "@landscaper/controller-runtime";
import type { TargetCluster } from "@landscaper/resources";
import { parseClusterAccess } from "./cluster-access.ts";
import type { ClusterCache } from "./cluster-cache.ts";
import type { TargetAccess } from "../deployer-interface.ts";
import { nameFailedTarget, type UsedTarget } from "./name-failed-target.ts";
import { missingTarget, nameTarget, readRawTarget, readTargetContent } from "./target-connection.ts";

export interface TargetAccessOptions {
  readonly item: DeployItem;
  /** The item's own Target, when it names one. */
  readonly target: Target | undefined;
  /** Of the cluster that Targets and their Secrets live in. */
  readonly reader: Reader;
  readonly clusters: ClusterCache;
  /** The access data have been read: the deployer may change the target from then on. */
  readonly onOpen?: (() => void) | undefined;
  readonly signal: AbortSignal;
}

/** Access for one pass. */
export interface PassAccess extends TargetAccess {
  /** The value without the secrets of the connections that the pass has used, in all its texts. */
  mask<T>(value: T): T;
  /** The error of a request to a target cluster with the name of its Target; other errors are returned unchanged. */
  nameTargetOf(error: unknown): unknown;
  /** Ends the use of the clusters. */
  release(): void;
}

/** Each target is resolved once, when it is asked for first. */
export function createTargetAccess(options: TargetAccessOptions): PassAccess {
  const { item, reader, clusters, signal } = options;
  const releases: (() => void)[] = [];
  const clients = new Set<TargetCluster["client"]>();
  const opened = new Map<Target, Promise<TargetCluster>>();
  const used: UsedTarget[] = [];
  const named = new Map<string, Promise<Target>>();
  const readContent = async (target: Target): Promise<unknown> => {
    const content = await readTargetContent(target, { reader, signal });
    options.onOpen?.();
    return content;
  };
  async function open(target: Target): Promise<TargetCluster> {
    const given = parseClusterAccess(target, await readContent(target));
    const access = await clusters.resolve(target, given, signal);
    await clusters.admit(target, access);
    const { cluster, release } = nameTarget(target, () => clusters.acquire(access));
    releases.push(release);
    clients.add(cluster.client);
    used.push({ target, type: given.type, server: cluster.client.server });
    clusters.noteServer(target, cluster.client.server);
    return cluster;
  }
  async function openOnce(target: Target): Promise<TargetCluster> {
    const known = opened.get(target);
    if (known !== undefined) return await known;
    const opening = open(target);
    opened.set(target, opening);
    return await opening;
  }
  async function find(name: string): Promise<Target> {
    const { namespace } = item.metadata;
    const target = await reader.find(resources.target, { namespace, name }, { signal });
    if (target === undefined) throw missingTarget({ namespace, name }, { field: "targetName" });
    return target;
  }
  return {
    cluster: async () => await openOnce(ownTarget(options)),
    clusterOf: async (name) => {
      const finding = named.get(name) ?? find(name);
      named.set(name, finding);
      return await openOnce(await finding);
    },
    content: async () => await readContent(ownTarget(options)),
    raw: async () => {
      const raw = options.target && (await readRawTarget(options.target, { reader, signal }));
      options.onOpen?.();
      return raw;
    },
    mask: (value) => [...clients].reduce((masked, client) => client.mask(masked), value),
    nameTargetOf: (error) => nameFailedTarget(error, used),
    release: () => {
      for (const release of releases.splice(0)) release();
    },
  };
}

function ownTarget({ target }: TargetAccessOptions): Target {
  if (target !== undefined) return target;
  throw new LandscaperError({
    message: "spec.target is missing: items of this type need a target",
    reason: "NoTarget",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
