import { percentile } from "./percentile.ts";

/** One engine at one task: works for about this many ms and resolves to the time that one execution took, in a unit of the bench. */
export type TimedEngine = (milliseconds: number) => number | Promise<number>;

export interface TurnOptions {
  readonly rounds: number;
  /** How long each engine works in each round. */
  readonly milliseconds: number;
}

export interface Comparison {
  /** Medians over the rounds, in the unit of the engines. */
  readonly ours: number;
  readonly theirs: number;
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
  const [ourMedian, theirMedian] = [percentile(our, 0.5), percentile(their, 0.5)];
  return { ours: ourMedian, theirs: theirMedian, ratio: ourMedian / theirMedian };
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
