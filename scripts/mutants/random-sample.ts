/** Returns a function of numbers in [0, 1) that depend on the seed only (the generator mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns `size` random elements in their order; all of them if there are fewer. The same seed chooses the same elements. Pure. */
export function chooseSample<T>(elements: readonly T[], size: number, seed: number): readonly T[] {
  const random = seededRandom(seed);
  const ranked = elements.map((element, index) => ({ element, index, rank: random() }));
  const chosen = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, size);
  return chosen.toSorted((a, b) => a.index - b.index).map(({ element }) => element);
}
