import { LandscaperError } from "@landscaper/api";
import { backoffDelayMs, type Random } from "../backoff.ts";
import { ApiError, ConnectionError } from "../client/api-error.ts";
import type { Clock } from "../controller-interface.ts";
import type { ProblemBoard } from "./problem-board.ts";

/** What has to be there before the work begins. */
export interface Preparation {
  readonly name: string;
  /** Throws an error that explains itself for what is not as it has to be. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface PreparationContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly problems: ProblemBoard;
}

const backoff = { baseMs: 500, maxMs: 5_000 };

/**
 * Runs them one after the other. One that throws an error of an API server, of the connection to it, or of an operator's mistake is tried again
 * until it succeeds: a process that ended would only be started again. Anything else it throws is a fault, and ends the whole.
 */
export async function runPreparations(
  preparations: readonly Preparation[],
  context: PreparationContext,
  signal: AbortSignal,
): Promise<void> {
  for (const preparation of preparations) await prepare(preparation, context, signal);
}

async function prepare(
  { name, run }: Preparation,
  { clock, random, problems }: PreparationContext,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; ;) {
    signal.throwIfAborted();
    try {
      await run(signal);
      problems.set(name, undefined);
      return;
    } catch (error) {
      signal.throwIfAborted();
      const problem = explainProblem(error);
      if (problem === undefined) throw error;
      failures++;
      problems.set(name, problem);
      await clock.sleep(backoffDelayMs(backoff, failures, random), signal);
    }
  }
}

/** What operators can do something about, in a sentence; undefined for everything else. Pure. */
export function explainProblem(error: unknown): string | undefined {
  if (error instanceof LandscaperError) {
    return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
  }
  if (error instanceof ConnectionError) return error.message;
  if (!(error instanceof ApiError)) return undefined;
  if (error.status !== 401) return error.message;
  return `the API server refuses the credentials of the service: ${error.message}`;
}
