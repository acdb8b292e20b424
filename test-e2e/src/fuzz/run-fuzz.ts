import * as fc from "fast-check";

/** What a run counts about a case without an unlisted difference. */
export interface Agreement {
  /** Parts of the language that the case shows to agree. */
  readonly words?: Iterable<string>;
  /** The listed difference that the case has. */
  readonly known?: string;
}

type Compared = readonly (string | Agreement | undefined)[];

/** A language under test: cases, and how two engines are asked about many at once. */
export interface FuzzTarget<T> {
  readonly cases: fc.Arbitrary<T>;
  /** Parts of the language that a long run must have seen often enough. */
  readonly words?: readonly string[];
  /** For each case what differs, as text for people; anything else where both agree. */
  compare(cases: readonly T[]): Compared | Promise<Compared>;
}

export interface FuzzLimits {
  readonly seed: number;
  readonly batchSize: number;
  /** Whether another batch may start. */
  goesOn(batches: number): boolean;
  /** Longest time for shrinking one difference. */
  readonly shrinkMs: number;
  /** Counts what the cases show. */
  readonly tally?: FuzzTally;
  /** Takes each difference as it is, and the run goes on. */
  readonly onDifference?: (difference: string) => void;
}

export interface FuzzReport {
  readonly seed: number;
  readonly cases: number;
  /** The first difference, made small; undefined when there is none. */
  readonly difference: string | undefined;
}

/** Counts of agreements. */
export class FuzzTally {
  readonly words = new Map<string, number>();
  readonly known = new Map<string, number>();

  add({ words = [], known }: Agreement): void {
    for (const word of words) this.words.set(word, (this.words.get(word) ?? 0) + 1);
    if (known !== undefined) this.known.set(known, (this.known.get(known) ?? 0) + 1);
  }

  /** The words that occurred less often, with their counts. */
  rarerThan(least: number, words: readonly string[]): string[] {
    return words.flatMap((word) => {
      const count = this.words.get(word) ?? 0;
      return count < least ? [`${word} ${count}`] : [];
    });
  }
}

/** Compares batch after batch until the limits or a difference end it. The same seed gives the same cases. */
export async function runFuzz<T>(target: FuzzTarget<T>, limits: FuzzLimits): Promise<FuzzReport> {
  let cases = 0;
  for (let batch = 0; limits.goesOn(batch); batch++) {
    const parameters = { seed: limits.seed + batch, numRuns: limits.batchSize };
    const samples = fc.sample(target.cases, parameters);
    cases += samples.length;
    const results = await target.compare(samples);
    for (const result of results) if (typeof result === "object") limits.tally?.add(result);
    if (limits.onDifference !== undefined) {
      for (const result of results) if (typeof result === "string") limits.onDifference(result);
      continue;
    }
    const at = results.findIndex((result) => typeof result === "string");
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
  const differenceOf = async (item: T): Promise<string | undefined> => {
    const [result] = await target.compare([item]);
    return typeof result === "string" ? result : undefined;
  };
  const details = await fc.check(
    fc.asyncProperty(target.cases, async (item) => (await differenceOf(item)) === undefined),
    { seed, numRuns, path: String(at), interruptAfterTimeLimit: shrinkMs },
  );
  const smallest = details.counterexample?.[0] ?? fc.sample(target.cases, { seed, numRuns })[at];
  return smallest === undefined
    ? "lost while shrinking"
    : ((await differenceOf(smallest)) ?? "does not happen again alone");
}
