export interface TenantUsageOptions {
  /** After so long (ms) work counts half. */
  readonly halfLifeMs: number;
  /** Work (ms) that makes one rank: tenants that differ by less take turns. */
  readonly quantumMs: number;
  /** Steady clock in ms. */
  readonly clock: () => number;
}

interface Usage {
  readonly usedMs: number;
  readonly atMs: number;
}

/** The processor time that tenants have used lately: who has used least is next. */
export class TenantUsage {
  readonly #options: TenantUsageOptions;
  readonly #usages = new Map<string, Usage>();

  constructor(options: TenantUsageOptions) {
    this.#options = options;
  }

  use(tenant: string, ms: number): void {
    const atMs = this.#options.clock();
    this.#usages.set(tenant, { usedMs: this.#used(tenant, atMs) + Math.max(0, ms), atMs });
    this.#forgetOld(atMs);
  }

  /** Lower is next; `moreMs` is work that was not told to `use` yet. */
  rank(tenant: string, moreMs = 0): number {
    return Math.floor((this.#used(tenant, this.#options.clock()) + moreMs) / this.#options.quantumMs);
  }

  #used(tenant: string, nowMs: number): number {
    const usage = this.#usages.get(tenant);
    return usage === undefined ? 0 : usage.usedMs * 0.5 ** ((nowMs - usage.atMs) / this.#options.halfLifeMs);
  }

  #forgetOld(nowMs: number): void {
    for (const tenant of this.#usages.keys()) if (this.#used(tenant, nowMs) < 1) this.#usages.delete(tenant);
  }
}
