import type { Clock } from "@landscaper/controller-runtime";
import type { AwaitedObjects, TargetCluster } from "@landscaper/resources";
import { KindWatches, type Subscriber } from "./kind-watches.ts";

/** Watches on target clusters, shared by all who wait for objects there. */
export interface TargetWatches {
  /** Tells of every change of the objects from the moment on at which the watch stands, and of that moment. */
  subscribe(objects: AwaitedObjects, wake: Subscriber["wake"]): Subscription;
  /** Equal for equal objects. */
  keyOf(objects: AwaitedObjects): string;
  /** Watches that are open, also those that nobody uses any more and that are about to be closed. */
  readonly size: number;
  /** Ends all of them, and whatever is subscribed later comes to nothing. */
  close(): void;
}

export interface Subscription {
  /** Whether no change is missed now. */
  readonly isStanding: boolean;
  end(): void;
}

export interface TargetWatchesOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Keeps the client of the cluster open until the returned function is called. */
  readonly hold: (cluster: TargetCluster) => () => void;
  /** How long a watch outlives its last user, in ms: the next item often waits for the same. */
  readonly lingerMs?: number | undefined;
}

/** Connections to one cluster; who comes later polls. */
const maxWatches = 100;
/** What only explains a wait leaves room for what is needed. */
const maxBeforeOptional = 50;
const defaultLingerMs = 10_000;

interface WatchedCluster {
  readonly kinds: Map<string, KindWatches>;
  readonly release: () => void;
}

export function createTargetWatches(options: TargetWatchesOptions): TargetWatches {
  /** Items have values of their own for one cluster; its client is the same. */
  const clusters = new Map<TargetCluster["client"], WatchedCluster>();
  const serials = new WeakMap<TargetCluster["client"], number>();
  let lastSerial = 0;
  let isClosed = false;
  const serialOf = ({ client }: TargetCluster): number => {
    const serial = serials.get(client) ?? ++lastSerial;
    serials.set(client, serial);
    return serial;
  };
  const enter = (cluster: TargetCluster): WatchedCluster => {
    const watched = clusters.get(cluster.client) ?? { kinds: new Map(), release: options.hold(cluster) };
    clusters.set(cluster.client, watched);
    return watched;
  };
  const watchesOf = ({ cluster, apiVersion, kind, newsAfterMs }: AwaitedObjects): KindWatches => {
    const watched = enter(cluster);
    const { kinds, release } = watched;
    const metadataOnly = newsAfterMs === undefined;
    const id = `${apiVersion} ${kind}${metadataOnly ? "" : ", whole"}`;
    const known = kinds.get(id);
    if (known !== undefined) return known;
    const watches = new KindWatches({
      cluster,
      apiVersion,
      kind,
      metadataOnly,
      clock: options.clock,
      random: options.random,
      lingerMs: options.lingerMs ?? defaultLingerMs,
      mayOpen: (isOptional) => sizeOf(watched) < (isOptional ? maxBeforeOptional : maxWatches),
      onEnd: () => {
        kinds.delete(id);
        if (kinds.size > 0) return;
        clusters.delete(cluster.client);
        release();
      },
    });
    kinds.set(id, watches);
    return watches;
  };
  return {
    subscribe(objects, wake) {
      if (isClosed) return { isStanding: false, end: () => {} };
      const watches = watchesOf(objects);
      const subscriber: Subscriber = { objects, wake };
      watches.add(subscriber);
      return {
        get isStanding() {
          return watches.isStanding(objects);
        },
        end: () => watches.remove(subscriber),
      };
    },
    keyOf({ cluster, apiVersion, kind, namespace, name, labelSelector, newsAfterMs }) {
      const isWhole = newsAfterMs !== undefined;
      return JSON.stringify([serialOf(cluster), apiVersion, kind, isWhole, namespace, name, labelSelector]);
    },
    get size() {
      return [...clusters.values()].reduce((sum, watched) => sum + sizeOf(watched), 0);
    },
    close() {
      isClosed = true;
      for (const { kinds } of clusters.values()) for (const watches of kinds.values()) watches.end();
    },
  };
}

function sizeOf({ kinds }: WatchedCluster): number {
  return [...kinds.values()].reduce((sum, { size }) => sum + size, 0);
}
