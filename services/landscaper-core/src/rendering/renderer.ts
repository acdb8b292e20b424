import { LandscaperError, type LandscaperConfiguration } from "@landscaper/api";
import {
  JobTimes,
  ThreadLimitError,
  ThreadPool,
  type ThreadLimit,
  type ThreadPoolOptions,
  type WorkBudget,
} from "@landscaper/threads";
import type { RenderQuestion, RenderResults, RenderTask } from "./render-task.ts";

export type RenderingLimits = NonNullable<LandscaperConfiguration["rendering"]>;

/** The bundle of the core has the thread beside it. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./render-thread.ts" : "./render-thread.mjs", import.meta.url);

/** Whose work a task is. */
export interface RenderOptions {
  /** Namespaces take turns. */
  readonly namespace: string;
  /** The job that the task belongs to, and which part of it; tasks without one have the time of a job for themselves. */
  readonly job?: { readonly id: string; readonly part: "init" | "complete" } | undefined;
  readonly answer?: ((question: RenderQuestion) => Promise<unknown>) | undefined;
  readonly signal: AbortSignal;
}

/** Does what depends on the content of users in threads, so that the core's Lease and health checks keep their time whatever it is. */
export class Renderer {
  readonly #threads: ThreadPool;
  readonly #times = new JobTimes();
  readonly #timeoutMs: number;

  constructor(
    { threads, timeoutSeconds = 30, memoryMiB = 512 }: RenderingLimits = {},
    { keepsSpare = false }: Pick<ThreadPoolOptions, "keepsSpare"> = {},
  ) {
    this.#timeoutMs = timeoutSeconds * 1000;
    this.#threads = new ThreadPool({
      entry,
      name: "landscaper-render",
      threads,
      keepsSpare,
      timeoutMs: this.#timeoutMs,
      memoryMiB,
    });
  }

  /** Throws LandscaperError, also when a limit is exceeded. */
  async perform<Type extends RenderTask["type"]>(
    task: Extract<RenderTask, { type: Type }>,
    { namespace: tenant, job, answer, signal }: RenderOptions,
  ): Promise<RenderResults[Type]> {
    // A thread asks these questions alone, and a task's result is of the type that stands beside it in RenderResults.
    const ask = answer === undefined ? undefined : async (question: unknown) => answer(question as RenderQuestion);
    const run = async (budget?: WorkBudget): Promise<RenderResults[Type]> =>
      (await this.#threads.run(task, { tenant, budget, answer: ask, signal })) as RenderResults[Type];
    try {
      return await (job === undefined ? run() : this.#times.spend(job, this.#timeoutMs, run));
    } catch (error) {
      throw error instanceof ThreadLimitError ? limitFailure(error) : error;
    }
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

const limitTexts: Readonly<Record<ThreadLimit, string>> = {
  time: ", which is the limit of a job",
  memory: ", which is the limit of a job",
  size: "",
  crash: "",
};
const limitHints: Readonly<Record<ThreadLimit, string>> = {
  time: "simplify what the message names, or raise rendering.timeoutSeconds in the configuration of landscaper-core",
  memory: "simplify what the message names, or raise rendering.memoryMiB in the configuration of landscaper-core",
  size: "render less, or split the installation",
  crash: "simplify what the message names",
};

/** The same content takes as much again: the job ends. */
function limitFailure(error: ThreadLimitError): LandscaperError {
  return new LandscaperError({
    message: `${error.step ?? "rendering"}: ${error.message}${limitTexts[error.limit]}`,
    reason: "ContentLimitExceeded",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: limitHints[error.limit],
    retry: "never",
    cause: error,
  });
}
