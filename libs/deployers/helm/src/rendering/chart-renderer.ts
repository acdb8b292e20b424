import { availableParallelism } from "node:os";
import { LandscaperError, type HelmDeployerConfiguration } from "@landscaper/api";
import type { FetchObject, LookupQuery } from "@landscaper/helm";
import { ThreadLimitError, ThreadPool } from "@landscaper/threads";
import type { ChartResults, ChartTask } from "./chart-tasks.ts";

export type RenderingLimits = NonNullable<HelmDeployerConfiguration["rendering"]>;

const maxThreads = 4;
/** The bundle of a service has the thread beside it. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./chart-thread.ts" : "./chart-thread.mjs", import.meta.url);

/** Reads and renders charts in threads, so that the deployer's Lease and health checks keep their time whatever a chart does. */
export class ChartRenderer {
  readonly #threads: ThreadPool;

  constructor({ threads, timeoutSeconds = 30, memoryMiB = 512 }: RenderingLimits = {}) {
    this.#threads = new ThreadPool({
      entry,
      name: "chart",
      threads: threads ?? Math.min(maxThreads, Math.max(1, availableParallelism() - 1)),
      timeoutMs: timeoutSeconds * 1000,
      memoryMiB,
    });
  }

  /** `name` is the chart's for errors; `fetch` answers `lookup`. Throws LandscaperError, also when a limit is exceeded. */
  async perform<Type extends ChartTask["type"]>(
    task: Extract<ChartTask, { type: Type }>,
    {
      name,
      fetch,
      signal,
    }: { readonly name: string; readonly fetch?: FetchObject | undefined; readonly signal: AbortSignal },
  ): Promise<ChartResults[Type]> {
    try {
      const answer =
        fetch === undefined ? undefined : async (query: unknown) => await fetch(query as LookupQuery, signal);
      // A task's result is of the type that stands beside it in ChartResults.
      return (await this.#threads.run(task, { answer, signal })) as ChartResults[Type];
    } catch (error) {
      throw error instanceof ThreadLimitError ? limitFailure(error, name) : error;
    }
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

/** The same chart with the same values takes as much again. */
function limitFailure(error: ThreadLimitError, chart: string): LandscaperError {
  return new LandscaperError({
    message: `chart ${chart}: rendering it ${error.message}`,
    reason: "ChartLimitExceeded",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: `a smaller chart, or a higher rendering.${error.limit === "time" ? "timeoutSeconds" : "memoryMiB"} in the deployer's configuration helps`,
    retry: "never",
    cause: error,
  });
}
