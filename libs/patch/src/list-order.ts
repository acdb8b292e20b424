/** Splits a list by whether the key of an item is in `reference`. */
export function partitionByPresence(
  items: readonly unknown[],
  reference: readonly unknown[],
  keyOf: (item: unknown) => unknown,
): { present: unknown[]; absent: unknown[] } {
  const keys = new Set(reference.map(keyOf));
  return {
    present: items.filter((item) => keys.has(keyOf(item))),
    absent: items.filter((item) => !keys.has(keyOf(item))),
  };
}

interface Lists {
  /** Items that the patch names; they end in `patchOrder`. */
  readonly patched: readonly unknown[];
  /** Items that only the live object has; they keep `liveOrder`. */
  readonly kept: readonly unknown[];
  readonly patchOrder: readonly unknown[];
  readonly liveOrder: readonly unknown[];
  readonly keyOf: (item: unknown) => unknown;
}

/**
 * Interleaves the two lists: the order inside of each is kept, and an item of the live object goes before the first patched item that
 * follows it in the live object. Models strategicpatch normalizeElementOrder.
 */
export function normalizeOrder({ patched, kept, patchOrder, liveOrder, keyOf }: Lists): unknown[] {
  const inPatch = positions(patchOrder, keyOf);
  const inLive = positions(liveOrder, keyOf);
  const right = sortBy(patched, (item) => inPatch.get(keyOf(item)));
  const left = sortBy(kept, (item) => inLive.get(keyOf(item)));
  const result: unknown[] = [];
  let next = 0;
  for (const item of right) {
    const position = inLive.get(keyOf(item));
    while (next < left.length && isBefore(inLive.get(keyOf(left[next])), position)) {
      result.push(left[next]);
      next += 1;
    }
    result.push(item);
  }
  return [...result, ...left.slice(next)];
}

function positions(items: readonly unknown[], keyOf: (item: unknown) => unknown): Map<unknown, number> {
  const result = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    if (!result.has(keyOf(item))) {
      result.set(keyOf(item), index);
    }
  }
  return result;
}

function sortBy(items: readonly unknown[], positionOf: (item: unknown) => number | undefined): unknown[] {
  return items.toSorted((left, right) => (positionOf(left) ?? 0) - (positionOf(right) ?? 0));
}

function isBefore(left: number | undefined, right: number | undefined): boolean {
  return left !== undefined && right !== undefined && left < right;
}
