import { percentile } from "./percentile.ts";

/** One engine at one task: works for about this many ms and resolves to the ns that one execution took. */
export type TimedEngine = (milliseconds: number) => number | Promise<number>;

export interface TurnOptions {
  readonly rounds: number;
  /** How long each engine works in each round. */
  readonly milliseconds: number;
}

export interface Comparison {
  /** Medians over the rounds. */
  readonly ourNanoseconds: number;
  readonly theirNanoseconds: number;
  /** Ours to theirs: below 1 we are faster. */
  readonly ratio: number;
}

/** Lets two engines take turns, so that both see the same machine; the first round only warms up. */
export async function takeTurns(ours: TimedEngine, theirs: TimedEngine, options: TurnOptions): Promise<Comparison> {
  const our: number[] = [];
  const their: number[] = [];
  for (let round = 0; round <= options.rounds; round++) {
    const ourTime = await ours(options.milliseconds);
    const theirTime = await theirs(options.milliseconds);
    if (round === 0) continue;
    our.push(ourTime);
    their.push(theirTime);
  }
  const ourNanoseconds = percentile(our, 0.5);
  const theirNanoseconds = percentile(their, 0.5);
  return { ourNanoseconds, theirNanoseconds, ratio: ourNanoseconds / theirNanoseconds };
}

/** Repeats `turn` for the given time; the ns of one turn. */
export function repeatFor(milliseconds: number, turn: () => unknown): number {
  const started = performance.now();
  for (let count = 1; ; count++) {
    turn();
    const elapsed = performance.now() - started;
    if (elapsed >= milliseconds) return (elapsed / count) * 1e6;
  }
}

/** The mean of ratios. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
