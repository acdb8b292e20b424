import { LandscaperError } from "@landscaper/api";
import { ApiError, ConnectionError, type Client, type Clock } from "@landscaper/controller-runtime";
import { stopDeployment, type DeploymentPlace } from "./stop-deployment.ts";

/** What each step of a cleanup works with. */
export interface CleanupContext {
  readonly client: Client;
  readonly clock: Clock;
  /** A line for the log of the container. */
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Why a step is not done yet; undefined if it is done. */
export type Unfinished = { readonly problem: string; readonly hint: string } | undefined;

export interface RepeatOptions {
  /** Time (ms of `Clock.elapsed`) at which the cleanup gives up. */
  readonly deadline: number;
  /** One pass of the step. */
  readonly pass: () => Promise<Unfinished>;
}

const pauseMs = 2_000;
/** How long refused and failed requests are repeated: the API server learns of a new Role after a moment, and may restart. */
const patienceMs = 60_000;

/** Repeats a step of a cleanup until it is done. Throws LandscaperError (CleanupIncomplete) that says what is left. */
export async function repeatCleanup(
  { clock, log, signal }: Omit<CleanupContext, "client">,
  { deadline, pass }: RepeatOptions,
): Promise<void> {
  let failingSince: number | undefined;
  for (;;) {
    let unfinished: Unfinished;
    try {
      unfinished = await pass();
      failingSince = undefined;
      if (unfinished === undefined) return;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
      failingSince ??= clock.elapsed();
      if (clock.elapsed() - failingSince >= patienceMs || clock.elapsed() >= deadline) throw requestFailed(error);
      log(`${error.message}; trying again`);
    }
    if (unfinished !== undefined && clock.elapsed() >= deadline) throw incomplete(unfinished);
    await clock.sleep(pauseMs, signal);
  }
}

/** One pass of the first step of a cleanup: stops the service that would undo the cleanup. */
export async function advanceStop(
  { client, log, signal }: Omit<CleanupContext, "clock">,
  deployment: DeploymentPlace | undefined,
): Promise<Unfinished> {
  if (deployment === undefined) return undefined;
  const pods = await stopDeployment({ ...deployment, client, signal });
  if (pods?.length === 0) {
    log(`Deployment ${deployment.namespace}/${deployment.name} is stopped`);
    return undefined;
  }
  const waitsFor = pods === undefined ? "its controller to scale it to 0" : `Pod ${pods.join(", ")} to end`;
  return {
    problem: `Deployment ${deployment.namespace}/${deployment.name} still waits for ${waitsFor}, and nothing was removed`,
    hint: "end the Pods of the Deployment, then uninstall again: the cleanup continues",
  };
}

function incomplete({ problem, hint }: NonNullable<Unfinished>): LandscaperError {
  return new LandscaperError({ message: problem, reason: "CleanupIncomplete", hint, retry: "never" });
}

function requestFailed(error: Error): LandscaperError {
  return new LandscaperError({
    message: `the cleanup stopped: ${error.message}`,
    reason: "CleanupIncomplete",
    hint: "correct what the message names, then uninstall again: the cleanup continues",
    retry: "never",
    cause: error,
  });
}
