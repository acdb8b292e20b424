import * as fc from "fast-check";

type Compared = readonly (string | undefined)[];

/** A language under test: cases, and how two engines are asked about many at once. */
export interface FuzzTarget<T> {
  readonly cases: fc.Arbitrary<T>;
  /** For each case what differs, as text for people; undefined where both agree. */
  compare(cases: readonly T[]): Compared | Promise<Compared>;
}

export interface FuzzLimits {
  readonly seed: number;
  readonly batchSize: number;
  /** Whether another batch may start. */
  goesOn(batches: number): boolean;
  /** Longest time for shrinking one difference. */
  readonly shrinkMs: number;
}

export interface FuzzReport {
  readonly seed: number;
  readonly cases: number;
  /** The first difference, made small; undefined when there is none. */
  readonly difference: string | undefined;
}

/** Compares batch after batch until the limits or a difference end it. The same seed gives the same cases. */
export async function runFuzz<T>(target: FuzzTarget<T>, limits: FuzzLimits): Promise<FuzzReport> {
  let cases = 0;
  for (let batch = 0; limits.goesOn(batch); batch++) {
    const parameters = { seed: limits.seed + batch, numRuns: limits.batchSize };
    const samples = fc.sample(target.cases, parameters);
    cases += samples.length;
    const at = (await target.compare(samples)).findIndex((difference) => difference !== undefined);
    if (at >= 0)
      return { seed: limits.seed, cases, difference: await shrink(target, { ...parameters, at }, limits.shrinkMs) };
  }
  return { seed: limits.seed, cases, difference: undefined };
}

async function shrink<T>(
  target: FuzzTarget<T>,
  { seed, numRuns, at }: { readonly seed: number; readonly numRuns: number; readonly at: number },
  shrinkMs: number,
): Promise<string> {
  const differenceOf = async (item: T): Promise<string | undefined> => (await target.compare([item]))[0];
  const details = await fc.check(
    fc.asyncProperty(target.cases, async (item) => (await differenceOf(item)) === undefined),
    { seed, numRuns, path: String(at), interruptAfterTimeLimit: shrinkMs },
  );
  const smallest = details.counterexample?.[0] ?? fc.sample(target.cases, { seed, numRuns })[at];
  return smallest === undefined
    ? "lost while shrinking"
    : ((await differenceOf(smallest)) ?? "does not happen again alone");
}
