import { LandscaperError, formatKey, keyOf, type DeployItem } from "@landscaper/api";
import type { Result } from "@landscaper/controller-runtime";
import { continuousStatus, type RunNews } from "./continuous-status.ts";
import { timeoutError, timeoutOf } from "./deadline.ts";
import type { ObservedTarget } from "./decide-job.ts";
import { notAfter, pauseFor, progressIntervalMs, remainingPauseMs } from "./job-pause.ts";
import type { JobMemory } from "./job-registry.ts";
import type { ReconcilerOptions } from "./reconciler-options.ts";
import { toReportable } from "./reportable-error.ts";
import { isFinalFailure, pollDelayMs, retryDelayMs } from "./retry-policy.ts";
import { runDeployer, type RunResult } from "./run-deployer.ts";
import { createStatusWriter, JobLostError, type StatusWriter } from "./status-writer.ts";
import { createTargetAccess } from "./target-access.ts";

export interface ContinuousPassOptions extends ReconcilerOptions {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
  readonly signal: AbortSignal;
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
    this.#memory.pickedUpAt ??= clock.now();
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
    const remainingMs = remainingPauseMs(this.#memory, this.#subject, clock.now());
    if (remainingMs > 0) return { requeueAfterMs: remainingMs };
    await this.#claim();
    if (target.state === "missing") return await this.#endFailed(this.#missingTarget(target.name), undefined);
    const result = await runDeployer({
      ...this.#options,
      item: () => this.#writer.item,
      persist: (status) => this.#writer.write((item) => ({ ...item.status, providerStatus: { ...status } })),
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

  /** Other replicas leave the item alone from now on, also when a job comes: then this one picks it up. */
  async #claim(): Promise<void> {
    const { claims, deployer } = this.#options;
    if (!claims.isShared || this.#memory.isClaimed) return;
    const by = { identity: claims.identity, name: deployer.name, version: deployer.version };
    await this.#write({ state: { type: "started", by } });
    this.#memory.isClaimed = true;
  }

  async #settle(result: RunResult): Promise<Result | undefined> {
    const { reported: providerStatus } = result;
    switch (result.type) {
      case "done": {
        const { exportRef, conditions } = result;
        await this.#write({ state: { type: "succeeded" }, providerStatus, exportRef, conditions });
        this.#options.runs.leave(this.#writer.item);
        this.#options.log.info(this.#fields, "made sure of what was deployed");
        return undefined;
      }
      case "waiting":
        if (this.#isLate) return await this.#endFailed(this.#late(result.waitingFor), providerStatus);
        return await this.#wait(result);
      case "failed":
        if (result.error instanceof JobLostError) throw result.error;
        if (isFinalFailure(result.error)) return await this.#endFailed(toReportable(result.error), providerStatus);
        if (result.isCancelled || this.#isLate) {
          const { message } = toReportable(result.error);
          return await this.#endFailed(this.#late(result.isCancelled ? "work in progress" : message), providerStatus);
        }
        return await this.#retry(result);
    }
  }

  async #wait({ waitingFor, reported, requeueAfterMs }: RunResult & { type: "waiting" }): Promise<Result> {
    const memory = this.#memory;
    const now = this.#options.clock.now();
    memory.failures = 0;
    memory.waits++;
    if (reported !== undefined || now - (memory.progressWrittenAt ?? 0) >= progressIntervalMs) {
      memory.progressWrittenAt = now;
      await this.#write({ state: { type: "waiting", for: waitingFor }, providerStatus: reported });
    }
    return this.#pause(requeueAfterMs ?? pollDelayMs(memory.waits));
  }

  async #retry({ error, reported }: RunResult & { type: "failed" }): Promise<Result> {
    const memory = this.#memory;
    memory.failures++;
    await this.#write({ state: { type: "failing", error: toReportable(error) }, providerStatus: reported });
    return this.#pause(retryDelayMs(memory.failures, error, this.#options.random));
  }

  /** The next run is at the next time of the schedule. */
  async #endFailed(error: Error, providerStatus: RunNews["providerStatus"]): Promise<undefined> {
    await this.#write({ state: { type: "failed", error }, providerStatus });
    this.#options.runs.leave(this.#writer.item);
    this.#options.log.warn({ ...this.#fields, error: error.message }, "could not make sure of what was deployed");
  }

  async #write(news: Omit<RunNews, "now">): Promise<void> {
    const now = new Date(this.#options.clock.now());
    await this.#writer.write((item) => continuousStatus(item, { now, ...news }));
  }

  #pause(delayMs: number): Result {
    const now = this.#options.clock.now();
    return pauseFor(this.#memory, this.#subject, { now, delayMs: notAfter(this.#deadline, { now, delayMs }) });
  }

  #late(checkpoint: string): LandscaperError {
    return timeoutError(this.#writer.item, checkpoint);
  }

  get #isLate(): boolean {
    return this.#deadline !== undefined && this.#options.clock.now() >= this.#deadline;
  }

  get #subject() {
    return { item: this.#writer.item, target: this.#options.target };
  }

  #missingTarget(name: string): LandscaperError {
    return new LandscaperError({
      message: `Target ${this.#options.item.metadata.namespace}/${name} does not exist`,
      reason: "NoTargetFound",
    });
  }

  get #fields(): Readonly<Record<string, unknown>> {
    return { deployItem: formatKey(keyOf(this.#writer.item)) };
  }
}
