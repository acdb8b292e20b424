// What a service needs when it starts, and can lose while it runs: rights, and the kinds that it works on.
import type { Manager } from "../controller-interface.ts";
import type { ApiRequestSample, RuntimeMetrics } from "../observability/metrics-interface.ts";
import { explainProblem } from "../preparation/run-preparations.ts";
import { demandKinds, type KindsDemand } from "./demand-kinds.ts";
import { demandRights, type RightsDemand } from "./demand-rights.ts";

/** Notes that requests of the service have had an answer of some sort. */
export interface RequestNotice {
  /** The same metrics, for the clients of the service's own clusters. */
  watch(metrics: RuntimeMetrics): RuntimeMetrics;
  /** Resolves when there was such an answer since the last call. */
  next(signal: AbortSignal): Promise<void>;
}

/** Notes requests that an API server refuses (403). */
export function createRefusals(): RequestNotice {
  return noticeRequests(({ code }) => code === "403");
}

/** Notes lists and watches of kinds that an API server does not serve (404). */
export function createUnserved(): RequestNotice {
  return noticeRequests(({ code, verb }) => code === "404" && (verb === "list" || verb === "watch"));
}

function noticeRequests(isNoted: (sample: ApiRequestSample) => boolean): RequestNotice {
  let isPending = false;
  let wake = (): void => {};
  return {
    watch: (metrics) => ({
      ...metrics,
      observeApiRequest: (sample) => {
        metrics.observeApiRequest(sample);
        if (!isNoted(sample)) return;
        isPending = true;
        wake();
      },
    }),
    next: async (signal) => {
      if (!isPending) {
        await new Promise<void>((resolve, reject) => {
          const stop = (): void => reject(signal.reason as Error);
          signal.addEventListener("abort", stop, { once: true });
          wake = () => {
            signal.removeEventListener("abort", stop);
            resolve();
          };
        });
      }
      isPending = false;
    },
  };
}

/** A quota or a namespace that is going refuses requests, too: the check runs at most once in this time (ms). */
const pauseMs = 10_000;
/** Pause (ms) before a check that has failed runs again. */
const retryMs = 3_000;

interface StandingCheck {
  readonly name: string;
  /** Throws an error that says what is missing. */
  readonly demand: (signal: AbortSignal) => Promise<void>;
  /** After it, the check runs again. */
  readonly notice: RequestNotice;
}

/** The manager begins to work when the demand is met, and is not ready while one is not met that was. */
function addStandingCheck(manager: Manager, { name, demand, notice }: StandingCheck): void {
  manager.addPreparation(name, demand);
  const check = async (signal: AbortSignal): Promise<string | undefined> => {
    try {
      await demand(signal);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return explainProblem(error);
    }
  };
  manager.addRunnable(
    name,
    async (signal) => {
      for (;;) {
        await notice.next(signal);
        for (;;) {
          const problem = await check(signal);
          manager.reportProblem(name, problem);
          if (problem === undefined) break;
          await manager.clock.sleep(retryMs, signal);
        }
        await manager.clock.sleep(pauseMs, signal);
      }
    },
    { needsLeader: false },
  );
}

export interface RightsCheckOptions {
  readonly demands: readonly RightsDemand[];
  /** Of `createRefusals`. */
  readonly refusals: RequestNotice;
}

/**
 * The manager begins to work when the process has the rights, and is not ready while one is missing that it has had: the rights are looked at again
 * after a request was refused.
 */
export function addRightsCheck(manager: Manager, { demands, refusals }: RightsCheckOptions): void {
  addStandingCheck(manager, { name: "rights", demand: (signal) => demandRights(demands, signal), notice: refusals });
}

export interface KindsCheckOptions extends KindsDemand {
  /** Of `createUnserved`. */
  readonly unserved: RequestNotice;
}

/**
 * The manager begins to work when the kinds are served, and is not ready while one is missing that was served: they are looked at again after a list or
 * watch has found no such kind.
 */
export function addKindsCheck(manager: Manager, { unserved, ...demand }: KindsCheckOptions): void {
  addStandingCheck(manager, { name: "kinds", demand: (signal) => demandKinds(demand, signal), notice: unserved });
}
