import { createBreather } from "@landscaper/controller-runtime";

export interface BoundedOptions {
  /** Most calls in flight at a time. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Calls `work` for every item, `limit` at a time, and resolves to the results in the order of the items. The first rejection
 * rejects the whole once the calls in flight have ended; nothing starts after it or after an abort. Others get turns also when no call waits.
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  options: BoundedOptions,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const breathe = createBreather();
  async function run(): Promise<void> {
    while (failures.length === 0 && !options.signal.aborted) {
      const index = next++;
      const item = items[index];
      if (index >= items.length || item === undefined) return;
      try {
        results[index] = await work(item);
        await breathe();
      } catch (error) {
        failures.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.limit, items.length) }, run));
  options.signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  return results;
}
