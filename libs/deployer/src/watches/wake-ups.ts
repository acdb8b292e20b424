import type { AwaitedObjects } from "@landscaper/resources";
import type { News } from "./kind-watches.ts";
import type { Subscription, TargetWatches } from "./target-watches.ts";

/**
 * What watches are worth for a wait that begins now. "covered": they have stood since before the pass looked, every change wakes.
 * "fresh": they stand, but something may have changed since the pass looked. "uncovered": at least one does not stand.
 */
export type Coverage = "covered" | "fresh" | "uncovered";

export interface WakeUpsOptions {
  readonly watches: Pick<TargetWatches, "subscribe" | "keyOf">;
  readonly wake: (news: News) => void;
  /** Aborted: the job is over, nothing is subscribed any more. */
  readonly signal: AbortSignal;
}

/** What one job has watched while it waits. The same objects stay subscribed from wait to wait. */
export class WakeUps {
  readonly #options: WakeUpsOptions;
  #subscriptions: ReadonlyMap<string, Subscription> = new Map();
  /** Keys of what stood when the pass began. */
  #stoodBefore: ReadonlySet<string> = new Set();

  constructor(options: WakeUpsOptions) {
    this.#options = options;
  }

  /** A pass begins to look. */
  beginPass(): void {
    const standing = [...this.#subscriptions].filter(([, { isStanding }]) => isStanding);
    this.#stoodBefore = new Set(standing.map(([key]) => key));
  }

  /** The pass waits for these, and for nothing else any more. */
  waitFor(objects: readonly AwaitedObjects[]): Coverage {
    const { watches, wake, signal } = this.#options;
    const before = this.#subscriptions;
    const next = new Map<string, Subscription>();
    for (const awaited of signal.aborted ? [] : objects) {
      const key = watches.keyOf(awaited);
      const subscription = next.get(key) ?? before.get(key) ?? watches.subscribe(awaited, wake);
      next.set(key, subscription);
    }
    this.#subscriptions = next;
    for (const [key, subscription] of before) if (!next.has(key)) subscription.end();
    const all = [...next];
    if (all.length === 0 || !all.every(([, { isStanding }]) => isStanding)) return "uncovered";
    return all.every(([key]) => this.#stoodBefore.has(key)) ? "covered" : "fresh";
  }

  end(): void {
    for (const subscription of this.#subscriptions.values()) subscription.end();
    this.#subscriptions = new Map();
  }
}
