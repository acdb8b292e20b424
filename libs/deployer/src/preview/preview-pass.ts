import {
  LandscaperError,
  annotations,
  formatKey,
  keyOf,
  operations,
  resources,
  type DeployItem,
  type DeployItemStatus,
} from "@landscaper/api";
import { isConflict, isNotFound, type Result, type WorkSlot } from "@landscaper/controller-runtime";
import { timeoutError, timeoutOf } from "../jobs/deadline.ts";
import type { ObservedTarget } from "../target/target-observer.ts";
import { isPlanRequested, isPlanWanted } from "./decide-preview.ts";
import { notAfter, pauseFor, remainingPauseMs } from "../jobs/job-pause.ts";
import type { JobMemory } from "../jobs/job-registry.ts";
import { writePlan } from "./plan-secret.ts";
import type { DeployerInfo } from "../continuous/continuous-status.ts";
import { planStatus, withdrawnStatus, type PlanState } from "./preview-status.ts";
import type { ReconcilerOptions } from "../reconciler-options.ts";
import { placeOf, toReportable } from "../jobs/reporting/reportable-error.ts";
import { isFinalFailure, retryDelayMs } from "../jobs/retry-policy.ts";
import { runDeployer, type RunResult } from "../jobs/run-deployer.ts";
import { createStatusWriter, JobLostError, lostTo, type StatusWriter } from "../jobs/reporting/status-writer.ts";
import { isTaken } from "../sharing/decide-claim.ts";
import { createTargetAccess } from "../target/target-access.ts";
import { createPassShare, waitingForShare } from "../target/target-share.ts";
import { missingTarget } from "../target/target-connection.ts";

export interface PreviewPassOptions extends ReconcilerOptions {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
  readonly signal: AbortSignal;
  readonly slot: WorkSlot;
}

interface Failure {
  readonly error: unknown;
  /** The deadline ended the work. */
  readonly isCancelled: boolean;
  /** In ms since the epoch. */
  readonly deadline: number | undefined;
}

/** Somebody waits for the answer: after so many failures it is the failure. */
const maxAttempts = 3;
/** Lost races against other writers of the item that are settled at once. */
const maxRaces = 5;

function operationOf({ metadata }: DeployItem): string | undefined {
  return metadata.annotations?.[annotations.operation];
}

/** One pass over a request for a plan: it writes a condition and the plan, nothing of the job, and a job that comes ends it. */
export class PreviewPass {
  readonly #options: PreviewPassOptions;
  readonly #writer: StatusWriter;
  readonly #access: ReturnType<typeof createTargetAccess>;
  readonly #memory: JobMemory;

  constructor(options: PreviewPassOptions) {
    const { client, item, signal, target, clusters, previews, clock, claims } = options;
    this.#options = options;
    this.#writer = createStatusWriter({ client, claims, item, signal });
    const own = target.state === "found" ? target.target : undefined;
    this.#access = createTargetAccess({ item, target: own, reader: client, clusters, signal });
    this.#memory = previews.enter(item, item.status?.jobID ?? "");
    this.#memory.pickedUpAt ??= clock.elapsed();
  }

  /** Gives the clusters back that the pass used. */
  release(): void {
    this.#access.release();
  }

  /** The request was taken back: nothing is in work any more. */
  async withdraw(): Promise<undefined> {
    await this.#writer.write((item) => withdrawnStatus(item, this.#deployerInfo));
    this.#options.previews.leave(this.#writer.item);
  }

  async refuseUnsupported(): Promise<undefined> {
    const { name, version, type } = this.#options.deployer;
    const operation = operationOf(this.#options.item) ?? operations.plan;
    const isPlan = operation === operations.plan;
    const error = new LandscaperError({
      message: isPlan
        ? `deployer ${name} ${version} cannot say in advance what a job of type ${type} would change`
        : `deployer ${name} ${version} cannot answer the operation "${operation}" of type ${type}`,
      reason: "PlanNotSupported",
      retry: "never",
    });
    await this.#fail(error);
  }

  async refuseMissingTarget(name: string): Promise<undefined> {
    await this.#fail(missingTarget({ namespace: this.#options.item.metadata.namespace, name }));
  }

  /** How long to wait for the next attempt; undefined when the request is answered. */
  async run(): Promise<Result | undefined> {
    const { clock, signal } = this.#options;
    const memory = this.#memory;
    const remainingMs = remainingPauseMs(memory, this.#subject, clock.elapsed());
    if (remainingMs > 0) return { requeueAfterMs: remainingMs };
    let deadline: number | undefined;
    try {
      deadline = this.#deadline();
    } catch (error) {
      return await this.#fail(error);
    }
    await this.#begin();
    if (!createPassShare(this.#options).take()) return await this.#waitForShare(deadline);
    const result = await runDeployer({
      ...this.#options,
      item: () => this.#writer.item,
      persist: () => Promise.reject(new Error("a plan is no part of the status")),
      target: this.#access,
      memory,
      deadline,
      work: "preview",
    });
    signal.throwIfAborted();
    // A job has come, the item goes, or the request was taken back: that is what counts now.
    if (memory.interrupted.aborted) throw new JobLostError();
    return await this.#settle(result, deadline);
  }

  get #deployerInfo(): DeployerInfo {
    const { claims, deployer } = this.#options;
    return { identity: claims.holder, name: deployer.name, version: deployer.version };
  }

  async #waitForShare(deadline: number | undefined): Promise<Result | undefined> {
    if (deadline === undefined) return {};
    const delayMs = deadline - this.#options.clock.elapsed();
    if (delayMs > 0) return { requeueAfterMs: delayMs };
    return await this.#fail(timeoutError(this.#writer.item, { waitingFor: waitingForShare }, "plan"));
  }

  /** Others leave the item alone from now on, and whoever waits sees that somebody is at work. */
  async #begin(): Promise<void> {
    if (this.#memory.isClaimed) return;
    const by = this.#deployerInfo;
    await this.#writer.write((current) => {
      // A lost race may bring an item whose request is answered, taken back, or behind a job.
      if (!isPlanWanted(current)) throw new JobLostError();
      return this.#statusOf(current, { type: "started", by });
    });
    this.#memory.isClaimed = true;
  }

  async #settle(result: RunResult, deadline: number | undefined): Promise<Result | undefined> {
    if (result.type === "failed") return await this.#retry({ ...result, deadline });
    const { client, item, signal, clock, log } = this.#options;
    const preview = result.type === "done" ? result.preview : undefined;
    let secretName: string;
    try {
      if (preview === undefined) throw new TypeError("a preview without an answer");
      secretName = await writePlan(preview, { client, item, signal, now: new Date(clock.now()) });
    } catch (error) {
      signal.throwIfAborted();
      return await this.#retry({ error, isCancelled: false, deadline });
    }
    await this.#answer({ type: "planned", summary: preview.summary, secretName });
    log.info(this.#fields, "planned");
    return undefined;
  }

  async #retry({ error, isCancelled, deadline }: Failure): Promise<Result | undefined> {
    const { clock, random } = this.#options;
    const memory = this.#memory;
    const elapsedMs = clock.elapsed();
    if (isFinalFailure(error)) return await this.#fail(error);
    if (isCancelled || (deadline !== undefined && elapsedMs >= deadline)) {
      const obstacle = isCancelled ? { waitingFor: "work in progress" } : { error: toReportable(error) };
      return await this.#fail(timeoutError(this.#writer.item, obstacle, "plan"));
    }
    memory.failures++;
    if (memory.failures >= maxAttempts) return await this.#fail(error);
    await this.#write({ type: "failing", error: toReportable(error) });
    const delayMs = notAfter(deadline, { elapsedMs, delayMs: retryDelayMs(memory.failures, error, random) });
    this.#logFailure(error, "could not plan, will be tried again");
    return pauseFor(memory, this.#subject, { elapsedMs, delayMs });
  }

  async #fail(error: unknown): Promise<undefined> {
    await this.#answer({ type: "failed", error: toReportable(error) });
    this.#logFailure(error, "could not plan");
  }

  #logFailure(error: unknown, message: string): void {
    const reported = toReportable(error);
    const place = reported === error ? {} : { place: placeOf(error) };
    this.#options.log.warn({ ...this.#fields, error: reported.message, ...place }, message);
  }

  /** The condition first: a process that dies before the request is gone plans again. */
  async #answer(state: PlanState): Promise<void> {
    await this.#write(state);
    this.#options.notifier.planned(this.#writer.item);
    await this.#removeRequest();
    this.#options.previews.leave(this.#writer.item);
  }

  /** A request that now means another spec, or another operation, stays: the next pass answers it. */
  async #removeRequest(): Promise<void> {
    const { client, claims, item: planned, signal } = this.#options;
    const isAnswered = (item: DeployItem): boolean =>
      item.metadata.generation === planned.metadata.generation && operationOf(item) === operationOf(planned);
    for (let races = 0; isAnswered(this.#writer.item) && isPlanRequested(this.#writer.item); races++) {
      const { item } = this.#writer;
      const { resourceVersion } = item.metadata;
      const body = { metadata: { resourceVersion, annotations: { [annotations.operation]: null } } };
      try {
        this.#writer.observe(await client.patch(resources.deployItem, keyOf(item), { type: "merge", body, signal }));
      } catch (error) {
        if (isNotFound(error)) throw new JobLostError();
        if (!isConflict(error) || races >= maxRaces) throw error;
        const fresh = await client.find(resources.deployItem, keyOf(item), { signal });
        if (fresh === undefined || fresh.metadata.uid !== item.metadata.uid) throw new JobLostError();
        // After a job it would be another plan.
        if (isPlanRequested(fresh) && !isPlanWanted(fresh)) throw new JobLostError();
        if (fresh.status?.jobID !== item.status?.jobID) throw new JobLostError();
        // Who has taken the request over answers it: without it, the other's work would be withdrawn, and both answers were lost.
        if (isTaken(fresh, claims.holder)) throw lostTo(fresh, item, claims);
        this.#writer.observe(fresh);
      }
    }
  }

  async #write(state: PlanState): Promise<void> {
    await this.#writer.write((current) => this.#statusOf(current, state));
  }

  #statusOf(current: DeployItem, state: PlanState): DeployItemStatus {
    const { clock, item } = this.#options;
    return planStatus(current, { now: new Date(clock.now()), state, generation: item.metadata.generation });
  }

  #deadline(): number | undefined {
    const timeoutMs = timeoutOf(this.#options.item);
    const start = this.#memory.pickedUpAt;
    return timeoutMs === undefined || start === undefined ? undefined : start + timeoutMs;
  }

  get #subject() {
    return { item: this.#options.item, target: this.#options.target };
  }

  get #fields(): Readonly<Record<string, unknown>> {
    return { deployItem: formatKey(keyOf(this.#writer.item)) };
  }
}
