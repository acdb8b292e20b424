import type { Backoff, Random } from "./backoff.ts";
import { backoffDelayMs } from "./backoff.ts";
import type { Clock } from "./controller-interface.ts";
import { createDeferred } from "./deferred.ts";
import { createFifo } from "./fifo.ts";
import { noMetrics } from "./metrics-interface.ts";
import type { RuntimeMetrics } from "./metrics-interface.ts";

export type Priority = "normal" | "low";

export interface WorkQueueOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly random?: Random | undefined;
  readonly metrics?: RuntimeMetrics | undefined;
  /** Of keys whose work failed. Default: 100 ms doubling up to 5 min. */
  readonly backoff?: Backoff | undefined;
}

/**
 * Keys that wait for work, as client-go's queue: a key is in it once however often it is added; while it is being worked on, an
 * add is kept and the key comes again after `done`. So no key is ever worked on twice at a time, and no add is lost.
 */
export interface WorkQueue {
  add(key: string, priority?: Priority): void;
  /** Adds later; of several delays the earliest counts. Taking the key drops its delay: its work decides anew. */
  addAfter(key: string, delayMs: number): void;
  /** Adds after the key's backoff, which grows by every call until `forget`; returns the delay in ms. */
  addFailed(key: string): number;
  /** Ends the key's backoff. */
  forget(key: string): void;
  failures(key: string): number;
  /** The next key; undefined once the queue is stopped. Every key taken must be given back by `done`. */
  take(): Promise<string | undefined>;
  done(key: string): void;
  /** Hands out no more keys; resolves when all that were taken are done. */
  stop(): Promise<void>;
  readonly depth: number;
}

const defaultBackoff: Backoff = { baseMs: 100, maxMs: 300_000 };
/** Every so manieth key is taken from the low lane first, so that it moves even under load. */
const lowLaneTurn = 8;

export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  const { clock, name } = options;
  const random = options.random ?? Math.random;
  const metrics = options.metrics ?? noMetrics;
  const lanes = { normal: createFifo<string>(), low: createFifo<string>() };
  /** Keys that want work, with the time since when and their lane. */
  const dirty = new Map<string, { readonly sinceMs: number; lane: Priority }>();
  const processing = new Set<string>();
  const delays = new Map<string, { readonly dueMs: number; cancel(): void }>();
  const failures = new Map<string, number>();
  const takers = createFifo<(key: string | undefined) => void>();
  const drained = createDeferred<void>();
  let isStopped = false;
  let turn = 0;

  const next = (): string | undefined => {
    turn = (turn + 1) % lowLaneTurn;
    const lanesInOrder: readonly Priority[] = turn === 0 ? ["low", "normal"] : ["normal", "low"];
    for (const lane of lanesInOrder) {
      for (let key = lanes[lane].shift(); key !== undefined; key = lanes[lane].shift()) {
        // A key that was promoted stays behind in the low lane; its entry says where it really waits.
        if (dirty.get(key)?.lane === lane && !processing.has(key)) return key;
      }
    }
    return undefined;
  };
  const claim = (key: string): string => {
    metrics.observeQueueWait(name, clock.now() - (dirty.get(key)?.sinceMs ?? clock.now()));
    dirty.delete(key);
    processing.add(key);
    cancelDelay(key);
    return key;
  };
  const cancelDelay = (key: string): void => {
    delays.get(key)?.cancel();
    delays.delete(key);
  };
  const serve = (): void => {
    while (takers.size > 0) {
      const key = next();
      if (key === undefined) return;
      takers.shift()?.(claim(key));
    }
  };
  const add = (key: string, priority: Priority = "normal"): void => {
    if (isStopped) return;
    const waiting = dirty.get(key);
    if (waiting !== undefined) {
      if (waiting.lane === priority || priority === "low") return;
      waiting.lane = priority;
    } else {
      dirty.set(key, { sinceMs: clock.now(), lane: priority });
    }
    if (processing.has(key)) return;
    lanes[priority].push(key);
    serve();
  };
  const addAfter = (key: string, delayMs: number): void => {
    if (isStopped) return;
    if (delayMs <= 0) return add(key);
    const dueMs = clock.now() + delayMs;
    const pending = delays.get(key);
    if (pending !== undefined && pending.dueMs <= dueMs) return;
    cancelDelay(key);
    const cancel = clock.schedule(delayMs, () => {
      delays.delete(key);
      add(key);
    });
    delays.set(key, { dueMs, cancel });
  };

  metrics.addQueue({
    name,
    depth: () => dirty.size,
    processing: () => processing.size,
    oldestAgeMs: () => {
      // Adds come in order of time, so that the first entry is the oldest.
      const [oldest] = dirty.values();
      return oldest === undefined ? 0 : clock.now() - oldest.sinceMs;
    },
  });

  return {
    add,
    addAfter,
    addFailed: (key) => {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      const delayMs = backoffDelayMs(options.backoff ?? defaultBackoff, count, random);
      addAfter(key, delayMs);
      return delayMs;
    },
    forget: (key) => void failures.delete(key),
    failures: (key) => failures.get(key) ?? 0,
    take: () => {
      if (isStopped) return Promise.resolve(undefined);
      const key = next();
      if (key !== undefined) return Promise.resolve(claim(key));
      return new Promise((resolve) => takers.push(resolve));
    },
    done: (key) => {
      processing.delete(key);
      if (isStopped && processing.size === 0) drained.resolve();
      const waiting = dirty.get(key);
      if (waiting === undefined || isStopped) return;
      lanes[waiting.lane].push(key);
      serve();
    },
    stop: () => {
      isStopped = true;
      for (const key of delays.keys()) cancelDelay(key);
      for (let taker = takers.shift(); taker !== undefined; taker = takers.shift()) taker(undefined);
      dirty.clear();
      if (processing.size === 0) drained.resolve();
      return drained.promise;
    },
    get depth() {
      return dirty.size;
    },
  };
}
