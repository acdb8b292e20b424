import { annotations, formatKey, keyOf, resources, type DeployItem, type LandscaperError } from "@landscaper/api";
import { isNotFound, type Result, type WorkSlot } from "@landscaper/controller-runtime";
import { abandonJob } from "../jobs/abandon-job.ts";
import { continuousStatus, type RunNews } from "./continuous-status.ts";
import { timeoutError, timeoutOf } from "../jobs/deadline.ts";
import { isRefreshRequested } from "./decide-continuous.ts";
import type { ObservedTarget } from "../target/target-observer.ts";
import { remainingPauseMs } from "../jobs/job-pause.ts";
import type { JobMemory } from "../jobs/job-registry.ts";
import type { ReconcilerOptions } from "../reconciler-options.ts";
import { toReportable } from "../jobs/reporting/reportable-error.ts";
import { runDeployer, type RunResult } from "../jobs/run-deployer.ts";
import { reportedStatus, type Reported } from "../jobs/job-status.ts";
import { noteWait, pauseToRetry, pauseToWait, settle, type PassEnd } from "../jobs/settle-pass.ts";
import { createStatusWriter, JobLostError, type StatusWriter } from "../jobs/reporting/status-writer.ts";
import { createTargetAccess } from "../target/target-access.ts";
import { createPassShare } from "../target/target-share.ts";
import { missingTarget } from "../target/target-connection.ts";

export interface ContinuousPassOptions extends ReconcilerOptions {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
  readonly signal: AbortSignal;
  readonly slot: WorkSlot;
}

/** One pass of a run between jobs: like one of a job, but it writes nothing of the job, and a job that comes ends it. */
export class ContinuousPass {
  readonly #options: ContinuousPassOptions;
  readonly #writer: StatusWriter;
  readonly #access: ReturnType<typeof createTargetAccess>;
  readonly #memory: JobMemory;
  readonly #deadline: number | undefined;

  constructor(options: ContinuousPassOptions) {
    const { client, item, signal, target, clusters, runs, clock, claims } = options;
    this.#options = options;
    this.#writer = createStatusWriter({ client, claims, item, signal });
    const own = target.state === "found" ? target.target : undefined;
    this.#access = createTargetAccess({ item, target: own, reader: client, clusters, signal });
    this.#memory = runs.enter(item, item.status?.jobID ?? "");
    this.#memory.pickedUpAt ??= clock.elapsed();
    const timeoutMs = timeoutOf(item);
    this.#deadline = timeoutMs === undefined ? undefined : this.#memory.pickedUpAt + timeoutMs;
  }

  /** Gives the clusters back that the pass used. */
  release(): void {
    this.#access.release();
  }

  /** How long to wait for the next pass; undefined when the run has ended. */
  async run(): Promise<Result | undefined> {
    const { target, clock, signal } = this.#options;
    const remainingMs = remainingPauseMs(this.#memory, this.#subject, clock.elapsed());
    if (remainingMs > 0) return { requeueAfterMs: remainingMs };
    if (target.state !== "missing" && !createPassShare(this.#options).take()) return this.#waitForShare();
    await this.#claim();
    if (target.state === "missing") {
      const { namespace } = this.#options.item.metadata;
      return await this.#endFailed(missingTarget({ namespace, name: target.name }), {});
    }
    const result = await runDeployer({
      ...this.#options,
      item: () => this.#writer.item,
      persist: (providerStatus, conditions) => this.#persist({ providerStatus, conditions }),
      target: this.#access,
      memory: this.#memory,
      deadline: this.#deadline,
      work: "maintain",
    });
    signal.throwIfAborted();
    // A job has come, or the item goes: that is what counts now.
    if (this.#memory.interrupted.aborted) throw new JobLostError();
    return await this.#settle(result);
  }

  /** The time of a run counts from its first share: until then nothing is in work. */
  #waitForShare(): Result {
    const { failures, waits } = this.#memory;
    if (failures + waits === 0) this.#memory.pickedUpAt = undefined;
    return {};
  }

  /** Other deployers leave the item alone from now on, also when a job comes: then this one picks it up. */
  async #claim(): Promise<void> {
    const { claims, deployer } = this.#options;
    if (this.#memory.isClaimed) return;
    const by = { identity: claims.holder, name: deployer.name, version: deployer.version };
    await this.#write({ state: { type: "started", by } });
    this.#memory.isClaimed = true;
  }

  async #settle(result: RunResult): Promise<Result | undefined> {
    const settlement = settle(result, this.#end);
    const { reported: providerStatus, conditions = [] } = result;
    const reported = { providerStatus, conditions };
    switch (settlement.type) {
      case "done": {
        const { exportRef } = settlement.result;
        await this.#write({ state: { type: "succeeded" }, ...reported, exportRef });
        this.#options.runs.leave(this.#writer.item);
        await this.#answerRefresh();
        this.#options.log.info(this.#fields, "made sure of what was deployed");
        return undefined;
      }
      case "wait": {
        const { waitingFor } = settlement.result;
        if (noteWait(this.#end, providerStatus !== undefined || conditions.length > 0)) {
          await this.#write({ state: { type: "waiting", for: waitingFor }, ...reported });
        }
        return pauseToWait(settlement.result, this.#end);
      }
      case "retry": {
        const error = toReportable(settlement.result.error);
        await this.#write({ state: { type: "failing", error }, ...reported });
        return pauseToRetry(settlement.result, this.#end);
      }
      case "failed":
        return await this.#endFailed(toReportable(settlement.result.error), reported);
      case "late": {
        const error = this.#late(settlement.result);
        const item = this.#writer.item;
        const job = { item, memory: this.#memory, work: "reconcile", problem: error.message } as const;
        const { conditions: abandoned } = await abandonJob({ ...this.#options, ...job });
        return await this.#endFailed(error, { providerStatus, conditions: [...conditions, ...abandoned] });
      }
    }
  }

  /** The next run is at the next time of the schedule. */
  async #endFailed(error: Error, reported: Reported): Promise<undefined> {
    await this.#write({ state: { type: "failed", error }, ...reported });
    this.#options.runs.leave(this.#writer.item);
    await this.#answerRefresh();
    this.#options.log.warn({ ...this.#fields, error: error.message }, "could not make sure of what was deployed");
  }

  /** Only now: a process that dies before it has the run repeated. */
  async #answerRefresh(): Promise<void> {
    const { client, signal } = this.#options;
    const { item } = this.#writer;
    if (!isRefreshRequested(item)) return;
    const body = { metadata: { annotations: { [annotations.operation]: null } } };
    try {
      await client.patch(resources.deployItem, keyOf(item), { type: "merge", body, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #persist(reported: Reported): Promise<void> {
    const now = new Date(this.#options.clock.now());
    await this.#writer.write((item) => reportedStatus(item, { now, ...reported }));
  }

  async #write(news: Omit<RunNews, "now">): Promise<void> {
    const now = new Date(this.#options.clock.now());
    await this.#writer.write((item) => continuousStatus(item, { now, ...news }));
  }

  #late(result: RunResult & { type: "waiting" | "failed" }): LandscaperError {
    const { item } = this.#writer;
    if (result.type === "waiting")
      return timeoutError(item, { waitingFor: result.waitingFor, trouble: result.trouble });
    if (result.isCancelled) return timeoutError(item, { waitingFor: "work in progress" });
    return timeoutError(item, { error: toReportable(result.error) });
  }

  /** As of the last status write. */
  get #end(): PassEnd {
    const { clock, random, targetWaitMs } = this.#options;
    return { memory: this.#memory, subject: this.#subject, deadline: this.#deadline, clock, random, targetWaitMs };
  }

  get #subject() {
    return { item: this.#writer.item, target: this.#options.target };
  }

  get #fields(): Readonly<Record<string, unknown>> {
    return { deployItem: formatKey(keyOf(this.#writer.item)) };
  }
}
