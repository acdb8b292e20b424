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
  /** `afterMs`: how long the pass may wait that looks. */
  readonly wake: (news: News, afterMs: number) => void;
  /** Aborted: the job is over, nothing is subscribed any more. */
  readonly signal: AbortSignal;
}

/** What one job has watched while it waits. The same objects stay subscribed from wait to wait. */
export class WakeUps {
  readonly #options: WakeUpsOptions;
  #waits: ReadonlyMap<string, Wait> = new Map();
  /** Keys of what stood when the pass began. */
  #stoodBefore: ReadonlySet<string> = new Set();

  constructor(options: WakeUpsOptions) {
    this.#options = options;
  }

  /** A pass begins to look. */
  beginPass(): void {
    const standing = [...this.#waits].filter(([, { subscription }]) => subscription.isStanding);
    this.#stoodBefore = new Set(standing.map(([key]) => key));
  }

  /** The pass waits for these, and for nothing else any more. */
  waitFor(objects: readonly AwaitedObjects[]): Coverage {
    const { watches, signal } = this.#options;
    const before = this.#waits;
    const next = new Map<string, Wait>();
    for (const awaited of signal.aborted ? [] : objects) {
      const key = watches.keyOf(awaited);
      const known = next.get(key);
      const subscription = known?.subscription ?? before.get(key)?.subscription ?? this.#subscribe(key, awaited);
      const isOptional = awaited.isOptional === true && known?.isOptional !== false;
      next.set(key, { subscription, isOptional, awaited: [...(known?.awaited ?? []), awaited] });
    }
    this.#waits = next;
    for (const [key, { subscription }] of before) if (!next.has(key)) subscription.end();
    const needed = [...next.values()].filter(({ isOptional }) => !isOptional);
    if (needed.length === 0 || !needed.every(({ subscription }) => subscription.isStanding)) return "uncovered";
    const standing = [...next].filter(([, { subscription }]) => subscription.isStanding);
    return standing.every(([key]) => this.#stoodBefore.has(key)) ? "covered" : "fresh";
  }

  #subscribe(key: string, objects: AwaitedObjects): Subscription {
    const { watches, wake } = this.#options;
    return watches.subscribe(objects, (news, object) => {
      const awaited = this.#waits.get(key)?.awaited ?? [];
      // Each is asked as of the last wait, not as of the one that has subscribed.
      const delays = awaited.flatMap(({ newsAfterMs, onNews }) => {
        const afterMs = object === undefined || newsAfterMs === undefined ? 0 : newsAfterMs(object);
        if (afterMs === undefined) return [];
        onNews?.();
        return [afterMs];
      });
      if (object === undefined || delays.length > 0) wake(news, Math.min(...delays));
    });
  }

  end(): void {
    for (const { subscription } of this.#waits.values()) subscription.end();
    this.#waits = new Map();
  }
}

interface Wait {
  readonly subscription: Subscription;
  /** Nobody needs it to go on. */
  readonly isOptional: boolean;
  readonly awaited: readonly AwaitedObjects[];
}
