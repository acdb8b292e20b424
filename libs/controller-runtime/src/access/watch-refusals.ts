import type { Manager } from "../controller-interface.ts";
import type { RuntimeMetrics } from "../observability/metrics-interface.ts";
import { explainProblem } from "../preparation/run-preparations.ts";
import { demandRights, type RightsDemand } from "./demand-rights.ts";

/** Notes that an API server has refused a request of the service (403). */
export interface Refusals {
  /** The same metrics, for the clients of the service's own clusters. */
  watch(metrics: RuntimeMetrics): RuntimeMetrics;
  /** Resolves when something was refused since the last call. */
  next(signal: AbortSignal): Promise<void>;
}

export function createRefusals(): Refusals {
  let isRefused = false;
  let wake = (): void => {};
  return {
    watch: (metrics) => ({
      ...metrics,
      observeApiRequest: (sample) => {
        metrics.observeApiRequest(sample);
        if (sample.code !== "403") return;
        isRefused = true;
        wake();
      },
    }),
    next: async (signal) => {
      if (!isRefused) {
        await new Promise<void>((resolve, reject) => {
          const stop = (): void => reject(signal.reason as Error);
          signal.addEventListener("abort", stop, { once: true });
          wake = () => {
            signal.removeEventListener("abort", stop);
            resolve();
          };
        });
      }
      isRefused = false;
    },
  };
}

/** A quota or a namespace that is going refuses requests, too: the rights are asked for at most once in this time (ms). */
const pauseMs = 10_000;
/** Pause (ms) before missing rights are asked for again. */
const retryMs = 3_000;

export interface RightsCheckOptions {
  readonly demands: readonly RightsDemand[];
  readonly refusals: Refusals;
}

/**
 * The manager begins to work when the process has the rights, and is not ready while one is missing that it has had: the rights are looked at again
 * after a request was refused.
 */
export function addRightsCheck(manager: Manager, { demands, refusals }: RightsCheckOptions): void {
  const name = "rights";
  manager.addPreparation(name, (signal) => demandRights(demands, signal));
  const check = async (signal: AbortSignal): Promise<string | undefined> => {
    try {
      await demandRights(demands, signal);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return explainProblem(error);
    }
  };
  manager.addRunnable(
    "rights",
    async (signal) => {
      for (;;) {
        await refusals.next(signal);
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
