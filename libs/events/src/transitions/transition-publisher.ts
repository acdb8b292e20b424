import type { Clock, Logger } from "@landscaper/controller-runtime";
import { parseServers } from "../nats-servers.ts";
import { NatsProblem, toError, type EventRefused } from "./nats-problem.ts";
import { PublisherRun } from "./publisher-run.ts";
import type { FollowKind, TransitionStats } from "./transition-feed.ts";

export interface TransitionPublisherOptions {
  /** NATS URLs separated by commas, as in NATS_URL. */
  readonly servers: string;
  readonly follow: FollowKind;
  /** Id of the landscaper cluster. Two publishers of one id never publish for long at the same time. */
  readonly hubId: (signal: AbortSignal) => Promise<string>;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly clock: Clock;
  /** Called when the reason why events are not published changes. Undefined: events are published again. */
  readonly onProblem?: ((problem: string | undefined) => void) | undefined;
  /** Limit for connecting and for each acknowledgement. Default 5 s. */
  readonly timeoutMs?: number | undefined;
  /** Transitions that wait before the publisher stops reading the feeds. Default 5,000. */
  readonly maxWaiting?: number | undefined;
  /** Estimated memory of the transitions that wait before the publisher stops reading the feeds. Default 16 MiB. */
  readonly maxWaitingBytes?: number | undefined;
  readonly random?: (() => number) | undefined;
}

export interface TransitionPublisher {
  /** Publishes until the signal is aborted. Rejects with TakenOver when another publisher works for the same landscaper cluster. */
  run(signal: AbortSignal): Promise<void>;
  readonly stats: TransitionStats;
}

const maxNamedSubjects = 1_000;

/** Throws TypeError if `servers` are not NATS URLs. Connects when it runs. */
export function createTransitionPublisher(options: TransitionPublisherOptions): TransitionPublisher {
  parseServers(options.servers);
  const counts = { published: 0, refused: 0, gaps: 0 };
  const refusedSubjects = new Set<string>();
  let problem: NatsProblem | Error | undefined;
  let run: PublisherRun | undefined;
  const reportProblem = (error: unknown): void => {
    const next = error === undefined ? undefined : toError(error);
    const isSame = next?.message === problem?.message;
    problem = next;
    if (isSame) return;
    if (next === undefined) options.log.info({}, "events are published again");
    else
      options.log.warn(
        { state: next instanceof NatsProblem ? next.state : "failed", problem: next.message },
        "events wait",
      );
    options.onProblem?.(next?.message);
  };
  const reportRefused = (error: EventRefused, subject: string): void => {
    counts.refused++;
    if (refusedSubjects.has(subject) || refusedSubjects.size >= maxNamedSubjects) return;
    refusedSubjects.add(subject);
    options.log.warn({ subject, problem: error.message }, "an event is given up, because the server refuses it");
  };
  return {
    run: async (signal) => {
      const current = new PublisherRun(options, { counts, reportProblem, reportRefused });
      run = current;
      try {
        await current.run(signal);
      } finally {
        run = undefined;
        if (!signal.aborted) reportProblem(undefined);
      }
    },
    get stats() {
      const { waiting = 0, lagSeconds = 0, isStarted = false } = run ?? {};
      return { ...counts, isStarted, waiting, lagSeconds, problem: problem?.message };
    },
  };
}
