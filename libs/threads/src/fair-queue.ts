/** Items of several tenants: tenants take turns, and the items of one keep their order. */
export class FairQueue<T> {
  /** The first tenant is the one that has waited longest for its turn. No list is empty. */
  readonly #items = new Map<string, T[]>();

  get size(): number {
    let size = 0;
    for (const items of this.#items.values()) size += items.length;
    return size;
  }

  push(tenant: string, item: T): void {
    const items = this.#items.get(tenant);
    if (items === undefined) this.#items.set(tenant, [item]);
    else items.push(item);
  }

  /** Before everything else of the tenant: what was begun is not overtaken. */
  unshift(tenant: string, item: T): void {
    const items = this.#items.get(tenant) ?? [];
    items.unshift(item);
    this.#items.set(tenant, items);
  }

  /** The next item of the tenant that `isReady` and has the lowest rank, of equal ones of the one whose turn it is. */
  take(isReady: (tenant: string) => boolean = () => true, rank: (tenant: string) => number = () => 0): T | undefined {
    const tenant = this.peek(isReady, rank);
    if (tenant === undefined) return undefined;
    const items = this.#items.get(tenant) ?? [];
    const item = items.shift();
    this.#items.delete(tenant);
    if (items.length > 0) this.#items.set(tenant, items);
    return item;
  }

  /** Whose item `take` takes. */
  peek(isReady: (tenant: string) => boolean, rank: (tenant: string) => number): string | undefined {
    let next: string | undefined;
    for (const tenant of this.#items.keys()) {
      if (isReady(tenant) && (next === undefined || rank(tenant) < rank(next))) next = tenant;
    }
    return next;
  }

  /** Whether it was there. */
  remove(tenant: string, item: T): boolean {
    const items = this.#items.get(tenant) ?? [];
    const at = items.indexOf(item);
    if (at < 0) return false;
    items.splice(at, 1);
    if (items.length === 0) this.#items.delete(tenant);
    return true;
  }

  get tenants(): readonly string[] {
    return [...this.#items.keys()];
  }

  /** Takes everything. */
  drain(): readonly T[] {
    const all = [...this.#items.values()].flat();
    this.#items.clear();
    return all;
  }
}
