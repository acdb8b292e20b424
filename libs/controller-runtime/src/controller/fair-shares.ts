/** How many keys may hold a share at a time. */
export interface ShareLimits {
  readonly total: number;
  readonly perNamespace: number;
  readonly perServer: number;
}

/** What the work of a key counts for. */
export interface ShareClaim {
  readonly namespace: string;
  /** Any name for the other side; undefined where there is none, or it is not known. */
  readonly server?: string | undefined;
}

/** Which limit keeps a key waiting. */
export type ShareLimit = "namespace" | "server" | "total";

export interface FairSharesOptions {
  readonly limits: ShareLimits;
  /** A share has become free and is kept for the key, which waited for it. */
  readonly onGranted: (key: string) => void;
  readonly onWaiting?: ((limit: ShareLimit) => void) | undefined;
}

/** A namespace that has work or waits for it. */
interface Tenant {
  running: number;
  /** Keys that wait, by server, each in order of arrival. The server whose turn is next is the first. */
  readonly waiting: Map<string, Set<string>>;
}

/** Servers are told apart from keys without one, which only count for their namespace. */
const noServer = "";

/**
 * Divides a number of places among namespaces and servers. A free place goes to the waiting namespace with the fewest places, among
 * equals to the one whose last turn is longest ago; within a namespace the servers take turns, and each has a queue in order of
 * arrival. A namespace or server at its limit waits while others pass. No clock and no I/O.
 */
export class FairShares {
  readonly #options: FairSharesOptions;
  /** In order of their last turn. */
  readonly #tenants = new Map<string, Tenant>();
  readonly #runningOfServer = new Map<string, number>();
  readonly #holders = new Map<string, ShareClaim>();
  readonly #waiters = new Map<string, ShareClaim>();

  constructor(options: FairSharesOptions) {
    this.#options = options;
  }

  /** Keys that hold a share. */
  get running(): number {
    return this.#holders.size;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** Whether the key has a share now. If not it waits, until onGranted or leave. */
  enter(key: string, claim: ShareClaim): boolean {
    if (this.#holders.has(key)) return true;
    const waiter = this.#waiters.get(key);
    if (waiter?.namespace === claim.namespace && waiter.server === claim.server) return false;
    this.#dropWaiter(key);
    const limit = this.#limitFor(claim);
    if (limit === undefined) {
      this.#hold(key, claim);
      return true;
    }
    this.#options.onWaiting?.(limit);
    this.#waiters.set(key, claim);
    const { waiting } = this.#tenantOf(claim.namespace);
    const server = claim.server ?? noServer;
    const queue = waiting.get(server);
    if (queue === undefined) waiting.set(server, new Set([key]));
    else queue.add(key);
    return false;
  }

  /** Takes a share also beyond the limits, for work that is short and must not wait. */
  force(key: string, claim: ShareClaim): void {
    if (this.#holders.has(key)) return;
    this.#dropWaiter(key);
    this.#hold(key, claim);
  }

  isWaiting(key: string): boolean {
    return this.#waiters.has(key);
  }

  /** The key does not work and does not wait any longer. */
  leave(key: string): void {
    this.#dropWaiter(key);
    if (this.#release(key)) this.#grantAll();
  }

  #grantAll(): void {
    for (let key = this.#next(); key !== undefined; key = this.#next()) {
      const claim = this.#waiters.get(key);
      if (claim === undefined) return;
      this.#dropWaiter(key);
      this.#hold(key, claim);
      this.#options.onGranted(key);
    }
  }

  #limitFor({ namespace, server }: ShareClaim): ShareLimit | undefined {
    const { limits } = this.#options;
    if ((this.#tenants.get(namespace)?.running ?? 0) >= limits.perNamespace) return "namespace";
    if (!this.#hasRoomAt(server ?? noServer)) return "server";
    return this.#holders.size >= limits.total ? "total" : undefined;
  }

  #hasRoomAt(server: string): boolean {
    return server === noServer || (this.#runningOfServer.get(server) ?? 0) < this.#options.limits.perServer;
  }

  /** The key that a free place goes to; undefined when there is none, or nobody may take it. */
  #next(): string | undefined {
    const { limits } = this.#options;
    if (this.#waiters.size === 0 || this.#holders.size >= limits.total) return undefined;
    let best: { readonly key: string; readonly running: number } | undefined;
    for (const { running, waiting } of this.#tenants.values()) {
      if (waiting.size === 0 || running >= limits.perNamespace) continue;
      if (best !== undefined && running >= best.running) continue;
      const key = this.#firstOf(waiting);
      if (key !== undefined) best = { key, running };
      if (running === 0 && key !== undefined) break;
    }
    return best?.key;
  }

  #firstOf(waiting: Tenant["waiting"]): string | undefined {
    for (const [server, queue] of waiting) {
      if (!this.#hasRoomAt(server)) continue;
      const [first] = queue;
      return first;
    }
    return undefined;
  }

  #hold(key: string, claim: ShareClaim): void {
    const { namespace, server = noServer } = claim;
    this.#holders.set(key, claim);
    const tenant = this.#tenantOf(namespace);
    tenant.running++;
    // Its next turn comes after that of the others.
    this.#tenants.delete(namespace);
    this.#tenants.set(namespace, tenant);
    this.#runningOfServer.set(server, (this.#runningOfServer.get(server) ?? 0) + 1);
  }

  #release(key: string): boolean {
    const claim = this.#holders.get(key);
    if (claim === undefined) return false;
    const { namespace, server = noServer } = claim;
    this.#holders.delete(key);
    this.#tenantOf(namespace).running--;
    const running = (this.#runningOfServer.get(server) ?? 1) - 1;
    if (running === 0) this.#runningOfServer.delete(server);
    else this.#runningOfServer.set(server, running);
    this.#forgetIdle(namespace);
    return true;
  }

  #dropWaiter(key: string): void {
    const claim = this.#waiters.get(key);
    if (claim === undefined) return;
    this.#waiters.delete(key);
    const { namespace, server = noServer } = claim;
    const { waiting } = this.#tenantOf(namespace);
    const queue = waiting.get(server);
    queue?.delete(key);
    // The next turn within the namespace is another server's.
    waiting.delete(server);
    if (queue !== undefined && queue.size > 0) waiting.set(server, queue);
    this.#forgetIdle(namespace);
  }

  #tenantOf(namespace: string): Tenant {
    const known = this.#tenants.get(namespace);
    if (known !== undefined) return known;
    const tenant: Tenant = { running: 0, waiting: new Map() };
    this.#tenants.set(namespace, tenant);
    return tenant;
  }

  #forgetIdle(namespace: string): void {
    const tenant = this.#tenants.get(namespace);
    if (tenant?.running === 0 && tenant.waiting.size === 0) this.#tenants.delete(namespace);
  }
}
