export interface TenantBackoffOptions {
  /** Pause after the second task in a row that exceeds a limit; it doubles with each further one. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** Steady clock in ms. */
  readonly clock: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

interface Misses {
  readonly count: number;
  readonly untilMs: number;
}

/** Tenants whose tasks exceed limits again and again pause, each a little longer than before, until one of their tasks succeeds. */
export class TenantBackoff {
  readonly #options: TenantBackoffOptions;
  readonly #misses = new Map<string, Misses>();

  constructor(options: TenantBackoffOptions) {
    this.#options = options;
  }

  noteSuccess(tenant: string): void {
    this.#misses.delete(tenant);
  }

  /** A single miss costs nothing: the job that it ended is not repeated. */
  noteLimit(tenant: string): void {
    const { baseMs, maxMs, clock, random } = this.#options;
    const now = clock();
    const known = this.#misses.get(tenant);
    // Who has been quiet for as long as the longest pause begins anew.
    const count = known === undefined || now - known.untilMs > maxMs ? 1 : known.count + 1;
    const delayMs = count === 1 ? 0 : Math.min(maxMs, baseMs * 2 ** Math.min(count - 2, 30)) * (0.5 + random() / 2);
    this.#misses.delete(tenant);
    this.#misses.set(tenant, { count, untilMs: now + delayMs });
    this.#forgetOld(now);
  }

  /** 0 for one that may work. */
  waitMs(tenant: string): number {
    const { untilMs = 0 } = this.#misses.get(tenant) ?? {};
    return Math.max(0, untilMs - this.#options.clock());
  }

  #forgetOld(now: number): void {
    for (const [tenant, { untilMs }] of this.#misses) {
      if (now - untilMs > this.#options.maxMs) this.#misses.delete(tenant);
    }
  }
}
