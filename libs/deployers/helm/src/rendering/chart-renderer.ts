import { availableParallelism } from "node:os";
import { LandscaperError, type DeployItem, type HelmDeployerConfiguration } from "@landscaper/api";
import type { FetchObject, FetchSchema } from "@landscaper/helm";
import { decodeError, JobTimes, ThreadLimitError, ThreadPool, type ThreadLimit } from "@landscaper/threads";
import type { ChartQuestion, ChartResults, ChartTask, ChartWork } from "./chart-tasks.ts";

interface PerformOptions {
  /** Of the chart or its repository, for errors. */
  readonly name: string;
  /** Answers `lookup`. */
  readonly fetch?: FetchObject | undefined;
  /** Fetches schemas of other hosts. */
  readonly fetchSchema?: FetchSchema | undefined;
  /** Namespaces take turns, and all tasks of a job have one limit of time. */
  readonly item: DeployItem;
  readonly signal: AbortSignal;
}

export type RenderingLimits = NonNullable<HelmDeployerConfiguration["rendering"]>;

const maxThreads = 4;
/** What comes of a task, with the chart as release records keep it. */
const maxResultBytes = 32 * 1024 * 1024;
/** The bundle of a service has the thread beside it. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./chart-thread.ts" : "./chart-thread.mjs", import.meta.url);

/** Reads and renders charts in threads, so that the deployer's Lease and health checks keep their time whatever a chart does. */
export class ChartRenderer {
  readonly #threads: ThreadPool;
  readonly #times = new JobTimes();
  readonly #timeoutMs: number;
  readonly #memoryBytes: number;

  constructor({ threads, timeoutSeconds = 30, memoryMiB = 512 }: RenderingLimits = {}) {
    this.#timeoutMs = timeoutSeconds * 1000;
    // Half: the thread also keeps charts, and what comes behind the templates. Where it ends as a whole, no error says which template it was.
    this.#memoryBytes = (memoryMiB / 2) * 1024 * 1024;
    this.#threads = new ThreadPool({
      entry,
      name: "chart",
      threads: threads ?? Math.min(maxThreads, Math.max(1, availableParallelism() - 1)),
      timeoutMs: this.#timeoutMs,
      memoryMiB,
      maxResultBytes,
    });
  }

  /** Throws LandscaperError, also when a limit is exceeded. */
  async perform<Type extends ChartTask["type"]>(
    task: Extract<ChartTask, { type: Type }>,
    { name, item: { metadata, status }, signal, ...sources }: PerformOptions,
  ): Promise<ChartResults[Type]> {
    const { namespace: tenant, uid } = metadata;
    const part = { id: `${uid ?? ""}/${status?.jobID ?? ""}`, part: task.type };
    let failure: Error | undefined;
    const answer = async (asked: unknown): Promise<unknown> => {
      // Threads ask nothing else.
      const question = asked as ChartQuestion;
      if (question.type !== "failure") return await answerTo(question, sources, signal);
      failure = decodeError(question.error);
      return undefined;
    };
    return await this.#times.spend(part, this.#timeoutMs, async (budget) => {
      const isShared = budget.usedMs > 0;
      const work: ChartWork = { task, memoryBytes: this.#memoryBytes };
      try {
        // A task's result is of the type that stands beside it in ChartResults.
        return (await this.#threads.run(work, { tenant, budget, answer, signal })) as ChartResults[Type];
      } catch (error) {
        if (!(error instanceof ThreadLimitError)) throw error;
        throw failure ?? limitFailure(error, { name, type: task.type, isShared });
      }
    });
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

async function answerTo(
  question: Exclude<ChartQuestion, { type: "failure" }>,
  { fetch, fetchSchema }: Pick<PerformOptions, "fetch" | "fetchSchema">,
  signal: AbortSignal,
): Promise<unknown> {
  if (question.type === "lookup") return await fetch?.(question.query, signal);
  return (await fetchSchema?.(question.url, signal)) ?? { problem: "schemas of other hosts are not loaded here" };
}

const limitHints: Readonly<Record<ThreadLimit, string>> = {
  time: "a smaller chart, or a higher rendering.timeoutSeconds in the deployer's configuration helps",
  memory: "a smaller chart, or a higher rendering.memoryMiB in the deployer's configuration helps",
  size: "a smaller chart helps",
  crash: "a smaller chart helps",
};

const verbs: Readonly<Record<ChartTask["type"], string>> = {
  index: "reading",
  resource: "reading",
  inlineChart: "reading",
  values: "composing",
  inspect: "reading",
  render: "rendering",
  exportData: "rendering",
};

/** Tasks whose names say what they are of. */
const namesItself: ReadonlySet<ChartTask["type"]> = new Set(["index", "resource", "inlineChart", "values"]);

/** The same chart with the same values takes as much again. */
function limitFailure(
  error: ThreadLimitError,
  { name, type, isShared }: { readonly name: string; readonly type: ChartTask["type"]; readonly isShared: boolean },
): LandscaperError {
  const together = isShared && error.limit === "time" ? ", together with what the job did before" : "";
  return new LandscaperError({
    message: `${namesItself.has(type) ? "" : "chart "}${name}: ${verbs[type]} it ${error.message}${together}`,
    reason: "ChartLimitExceeded",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: limitHints[error.limit],
    retry: "never",
    cause: error,
  });
}
