import { resources, type DeployItem, type ObjectKey, type Target } from "@landscaper/api";
import { canBeName, raceAbort, type Lister, type Reader } from "@landscaper/controller-runtime";
import { isOfOtherHost, type HostSecret } from "./host-secret.ts";
import { createSharedReads } from "./shared-reads.ts";

/** What is known of the Target that an item names. */
export type ObservedTarget =
  | { readonly state: "none" }
  | { readonly state: "found"; readonly target: Target }
  /** Only the deployers of another host can reach its cluster. */
  | { readonly state: "elsewhere"; readonly target: Target }
  /** Looked for, not only in the cache. */
  | { readonly state: "missing"; readonly name: string };

/** Finds the Targets of items. */
export interface TargetObserver {
  /** From the cache; a Target that is not in there may be newer than the cache: it is missing only when the API server says so. */
  readonly observe: (item: DeployItem, signal: AbortSignal) => Promise<ObservedTarget>;
  /**
   * From the API server, for work that begins. Items and Targets come on watches of their own: the cache may know a new job before it
   * knows that the Target has gone, or means another cluster. `observe` does not fall back behind it.
   */
  readonly confirm: (item: DeployItem, signal: AbortSignal) => Promise<ObservedTarget>;
}

export interface TargetObserverOptions {
  /** Of the cluster that DeployItems live in. */
  readonly client: Pick<Reader, "find">;
  readonly targets: Pick<Lister<Target>, "get">;
  /** The Secret of the host that Targets may name. Default: none. */
  readonly hostSecret?: HostSecret | undefined;
}

/** One for all items of a deployer. */
export function createTargetObserver({ client, targets, hostSecret }: TargetObserverOptions): TargetObserver {
  const judge = (target: Target): ObservedTarget => ({
    state: isOfOtherHost(target, hostSecret) ? "elsewhere" : "found",
    target,
  });
  /** What has become of an object of the cache, until the cache has another one. */
  const newer = new WeakMap<Target, ObservedTarget>();
  const reads = createSharedReads(async (key: ObjectKey) => await client.find(resources.target, key));
  async function find(key: ObjectKey, signal: AbortSignal): Promise<ObservedTarget> {
    signal.throwIfAborted();
    const target = canBeName(key.name) ? await raceAbort(reads.read(key), signal) : undefined;
    return target === undefined ? { state: "missing", name: key.name } : judge(target);
  }
  return {
    async observe(item, signal) {
      const key = targetKey(item);
      if (key === undefined) return { state: "none" };
      const cached = targets.get(key);
      if (cached === undefined) return await find(key, signal);
      return newer.get(cached) ?? judge(cached);
    },
    async confirm(item, signal) {
      const key = targetKey(item);
      if (key === undefined) return { state: "none" };
      const found = await find(key, signal);
      const cached = targets.get(key);
      if (cached === undefined) return found;
      if ("target" in found && versionOf(found.target) === versionOf(cached)) return judge(cached);
      newer.set(cached, found);
      return found;
    },
  };
}

function targetKey({ metadata, spec }: DeployItem): ObjectKey | undefined {
  const { name = "" } = spec.target ?? {};
  return name === "" ? undefined : { namespace: metadata.namespace, name };
}

function versionOf({ metadata }: Target): string | undefined {
  return metadata.resourceVersion;
}
