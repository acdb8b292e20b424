/** The value below which `share` (0..1) of the values lie, by the nearest rank; NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Where the middle of measured values lies, and how far they are spread. */
export interface Spread {
  readonly median: number;
  /** A quarter of the values lies below, and a quarter above. */
  readonly quartiles: readonly [number, number];
  readonly count: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((share) => percentile(values, share));
  return { median: median ?? Number.NaN, quartiles: [lower ?? Number.NaN, upper ?? Number.NaN], count: values.length };
}
