import type { Backoff, Random } from "../backoff.ts";
import { backoffDelayMs } from "../backoff.ts";
import type { Clock } from "../controller-interface.ts";
import { createDeferred } from "../deferred.ts";
import { createDelayedAdds } from "./delayed-adds.ts";
import { createFifo } from "./fifo.ts";
import { noMetrics } from "../observability/metrics-interface.ts";
import type { RuntimeMetrics } from "../observability/metrics-interface.ts";

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
  /** Low priority waits behind normal, but every eighth key is a low one. A normal add lifts a waiting low one. */
  add(key: string, priority?: Priority): void;
  /** Adds later; of several delays the earliest counts. Taking the key drops its delay: its work decides anew. */
  addAfter(key: string, delayMs: number): void;
  /** Adds after the key's backoff, which grows by every call until `forget`, but not above `maxMs`; returns the delay in ms. */
  addFailed(key: string, maxMs?: number): number;
  /** Ends the key's backoff. */
  forget(key: string): void;
  failures(key: string): number;
  /** The next key; undefined once the queue is stopped. Every key taken must be given back by `done`. */
  take(): Promise<string | undefined>;
  done(key: string): void;
  /** Hands out no more keys; resolves when all that were taken are done. */
  stop(): Promise<void>;
  /** Keys that wait, those included that wait for the end of their own work. */
  readonly depth: number;
}

export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  return new KeyedQueue(options);
}

const defaultBackoff: Backoff = { baseMs: 100, maxMs: 300_000 };
/** Every so manieth key is taken from the low lane first, so that it moves even under load. */
const lowLaneTurn = 8;

interface Waiting {
  readonly sinceMs: number;
  lane: Priority;
}

class KeyedQueue implements WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #metrics: RuntimeMetrics;
  /** Keys that want work, in order of their adds. */
  readonly #waiting = new Map<string, Waiting>();
  /** The waiting keys that may be taken; a key may be in them too often, its entry in `#waiting` says what is true. */
  readonly #lanes = { normal: createFifo<string>(), low: createFifo<string>() };
  /** When the work on each key has begun. */
  readonly #processing = new Map<string, number>();
  readonly #delayed;
  readonly #failures = new Map<string, number>();
  readonly #takers = createFifo<(key: string | undefined) => void>();
  readonly #drained = createDeferred<void>();
  #isStopped = false;
  #turn = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#metrics = options.metrics ?? noMetrics;
    this.#delayed = createDelayedAdds(options.clock, (key) => this.add(key));
    this.#metrics.addQueue({
      name: options.name,
      depth: () => this.depth,
      processing: () => this.#processing.size,
      oldestAgeMs: () => this.#oldestAgeMs(),
      unfinishedMs: () => this.#unfinishedMs(),
    });
  }

  get depth(): number {
    return this.#waiting.size;
  }

  add(key: string, priority: Priority = "normal"): void {
    if (this.#isStopped) return;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      this.#waiting.set(key, { sinceMs: this.#options.clock.elapsed(), lane: priority });
      this.#metrics.countAdd(this.#options.name);
    } else {
      if (waiting.lane === "normal" || priority === "low") return;
      waiting.lane = priority;
    }
    if (!this.#processing.has(key)) this.#offer(key, priority);
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#isStopped) return;
    if (delayMs <= 0) this.add(key);
    else this.#delayed.add(key, delayMs);
  }

  addFailed(key: string, maxMs = Number.POSITIVE_INFINITY): number {
    const count = this.failures(key) + 1;
    this.#failures.set(key, count);
    const { backoff = defaultBackoff, random = Math.random } = this.#options;
    const limited = { baseMs: backoff.baseMs, maxMs: Math.min(backoff.maxMs, maxMs) };
    const delayMs = backoffDelayMs(limited, count, random);
    this.#metrics.countRetry(this.#options.name);
    this.addAfter(key, delayMs);
    return delayMs;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  take(): Promise<string | undefined> {
    if (this.#isStopped) return Promise.resolve(undefined);
    const key = this.#next();
    if (key !== undefined) return Promise.resolve(this.#claim(key));
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  done(key: string): void {
    const { clock, name } = this.#options;
    const startedMs = this.#processing.get(key);
    if (startedMs !== undefined) this.#metrics.observeWork(name, clock.elapsed() - startedMs);
    this.#processing.delete(key);
    if (this.#isStopped && this.#processing.size === 0) this.#drained.resolve();
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) this.#offer(key, waiting.lane);
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    this.#delayed.clear();
    this.#waiting.clear();
    for (let taker = this.#takers.shift(); taker !== undefined; taker = this.#takers.shift()) taker(undefined);
    if (this.#processing.size === 0) this.#drained.resolve();
    return this.#drained.promise;
  }

  #offer(key: string, lane: Priority): void {
    this.#lanes[lane].push(key);
    while (this.#takers.size > 0) {
      const next = this.#next();
      if (next === undefined) return;
      this.#takers.shift()?.(this.#claim(next));
    }
  }

  #next(): string | undefined {
    this.#turn = (this.#turn + 1) % lowLaneTurn;
    const lanes: readonly Priority[] = this.#turn === 0 ? ["low", "normal"] : ["normal", "low"];
    for (const lane of lanes) {
      const fifo = this.#lanes[lane];
      for (let key = fifo.shift(); key !== undefined; key = fifo.shift()) {
        if (this.#waiting.get(key)?.lane === lane && !this.#processing.has(key)) return key;
      }
    }
    return undefined;
  }

  #claim(key: string): string {
    const { clock, name } = this.#options;
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) this.#metrics.observeQueueWait(name, clock.elapsed() - waiting.sinceMs);
    this.#waiting.delete(key);
    this.#processing.set(key, clock.elapsed());
    this.#delayed.cancel(key);
    return key;
  }

  #unfinishedMs(): { sum: number; longest: number } {
    const now = this.#options.clock.elapsed();
    const times = [...this.#processing.values()].map((startedMs) => now - startedMs);
    return { sum: times.reduce((sum, each) => sum + each, 0), longest: Math.max(0, ...times) };
  }

  #oldestAgeMs(): number {
    // Adds come in order of time, so that the first entry is the oldest.
    const [oldest] = this.#waiting.values();
    return oldest === undefined ? 0 : this.#options.clock.elapsed() - oldest.sinceMs;
  }
}
