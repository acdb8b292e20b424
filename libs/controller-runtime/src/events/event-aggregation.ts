import type { KubeObject } from "@landscaper/api";
import type { Clock } from "../controller-interface.ts";

/** What a caller reports. */
export interface ReportedEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** One event object to write. */
export interface AggregatedEvent {
  readonly about: KubeObject;
  readonly event: ReportedEvent;
  /** Of the first and the last report, by the time of day. */
  readonly firstMs: number;
  lastMs: number;
  /** How often it was reported so far. */
  count: number;
  /** Name of the event object, from its creation on. */
  name: string | undefined;
}

export type AggregateResult =
  | { readonly type: "new"; readonly entry: AggregatedEvent }
  /** Was reported before: the series grows. */
  | { readonly type: "repeated"; readonly entry: AggregatedEvent }
  /** The object has had its share. */
  | { readonly type: "dropped" };

export interface EventAggregator {
  take(about: KubeObject, event: ReportedEvent, clock: Pick<Clock, "now" | "elapsed">): AggregateResult;
}

/** Events of one object: this many at once, and one more per refill time. The numbers of client-go, with a faster refill. */
const burst = 25;
const refillMs = 30_000;
/** The same event within this time is one series; later it is a new event. */
const seriesMs = 6 * 60_000;
const maxEntries = 4_096;

/** Times are of a clock that nobody sets. */
interface Bucket {
  tokens: number;
  refilledMs: number;
}

interface Series {
  readonly entry: AggregatedEvent;
  /** Of a clock that nobody sets. */
  lastElapsedMs: number;
}

/** Merges repetitions and bounds the rate per object. Pure but for its memory, which is bounded too. */
export function createEventAggregator(): EventAggregator {
  const allSeries = new Map<string, Series>();
  const buckets = new Map<string, Bucket>();
  return {
    take: (about, event, clock) => {
      const id = identityOf(about);
      const [nowMs, elapsedMs] = [clock.now(), clock.elapsed()];
      if (!takeToken(buckets, id, elapsedMs)) return { type: "dropped" };
      const seriesId = JSON.stringify([id, event.type, event.reason, event.message]);
      const known = allSeries.get(seriesId);
      if (known !== undefined && elapsedMs - known.lastElapsedMs <= seriesMs) {
        known.lastElapsedMs = elapsedMs;
        known.entry.count++;
        known.entry.lastMs = nowMs;
        return { type: "repeated", entry: known.entry };
      }
      const entry = { about: referenceOf(about), event, firstMs: nowMs, lastMs: nowMs, count: 1, name: undefined };
      rememberLatest(allSeries, seriesId, { entry, lastElapsedMs: elapsedMs });
      return { type: "new", entry };
    },
  };
}

function takeToken(buckets: Map<string, Bucket>, id: string, elapsedMs: number): boolean {
  const bucket = buckets.get(id) ?? { tokens: burst, refilledMs: elapsedMs };
  const refills = Math.floor((elapsedMs - bucket.refilledMs) / refillMs);
  if (refills > 0) {
    bucket.tokens = Math.min(burst, bucket.tokens + refills);
    bucket.refilledMs += refills * refillMs;
  }
  rememberLatest(buckets, id, bucket);
  if (bucket.tokens === 0) return false;
  bucket.tokens--;
  return true;
}

/** Keeps the map in order of last use, and bounded. */
function rememberLatest<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxEntries && oldest !== undefined) map.delete(oldest);
}

function identityOf({ kind, metadata }: KubeObject): string {
  return metadata.uid ?? `${kind}/${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
}

/** Only what an event refers to: the entry must not hold on to the object. */
function referenceOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  };
}
