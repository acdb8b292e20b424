import {
  fieldValidationOf,
  internalErrorReason,
  LandscaperError,
  formatKey,
  judgeWarnings,
  keyOf,
  redactTextsInTurns,
  type ConditionUpdate,
  type DeployItem,
  type FieldValidation,
  type Warning,
} from "@landscaper/api";
import {
  ApiError,
  ConnectionError,
  createBreather,
  ownTurn,
  type Result,
  type WorkSlot,
} from "@landscaper/controller-runtime";
import { maskErrorTexts } from "@landscaper/egress";
import { checkConfig, isLargeConfig } from "./check-config.ts";
import { abandonJob } from "./abandon-job.ts";
import { parseContinuousReconcile } from "../continuous/continuous-schedule.ts";
import { deadlineOf, pickedUpBefore, timeoutError, timeoutOf, type Obstacle } from "./deadline.ts";
import type { ObservedTarget } from "../target/target-observer.ts";
import type { ProviderStatus } from "../deployer-interface.ts";
import { remainingPauseMs } from "./job-pause.ts";
import type { JobMemory } from "./job-registry.ts";
import { hasDeployedNothing, isUntouched, untouched } from "./job-status.ts";
import { JobWrites, type PickUpNews, type WorkKind } from "./job-writes.ts";
import type { ReconcilerOptions } from "../reconciler-options.ts";
import { placeOf, toReportable } from "./reporting/reportable-error.ts";
import { runDeployer, runLeave, type RunResult } from "./run-deployer.ts";
import { noteWait, pauseToRetry, pauseToWait, settle, type PassEnd } from "./settle-pass.ts";
import { maskSettings, secretConfigValues } from "./reporting/secret-config.ts";
import { JobLostError } from "./reporting/status-writer.ts";
import { createTargetAccess } from "../target/target-access.ts";
import { createPassShare, waitingForShare } from "../target/target-share.ts";
import { missingTarget } from "../target/target-connection.ts";
import { targetSecretMissing } from "../target/target-content.ts";

export interface ItemPassOptions extends ReconcilerOptions {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
  readonly signal: AbortSignal;
  readonly slot: WorkSlot;
}

interface Job {
  readonly kind: WorkKind;
  readonly memory: JobMemory;
  readonly deadline: number | undefined;
}

/** Whether the failure is more than the abort of the work itself. */
function isOurs(error: unknown): boolean {
  return error instanceof LandscaperError || error instanceof ApiError || error instanceof ConnectionError;
}

/**
 * Returns the condition NothingDeployed if no job of the item has had access to its target. Empty for a deletion, and if another process has picked
 * the job up.
 */
function untouchedAfter({ isDeleting }: WorkKind, memory: JobMemory): readonly ConditionUpdate[] {
  const { isTouched, statusBefore } = memory;
  return !isDeleting && !isTouched && statusBefore !== undefined && isUntouched(statusBefore) ? [untouched] : [];
}

/** Returns the error that ended the pass, unless it is only the end of cancelled work. */
function findObstacle(result: RunResult & { type: "waiting" | "failed" }): Obstacle | undefined {
  if (result.type === "waiting" || !isOurs(result.error)) return undefined;
  const error = toReportable(result.error);
  return result.isCancelled && error.reason === internalErrorReason ? undefined : { error };
}

function noteObstacle(memory: JobMemory, { waitingFor, trouble }: RunResult & { type: "waiting" }): void {
  memory.waitingFor = waitingFor;
  memory.trouble = trouble;
}

function isSecretMissing(result: RunResult): boolean {
  return (
    result.type === "failed" && result.error instanceof LandscaperError && result.error.reason === targetSecretMissing
  );
}

/** One pass over one item: performs what was decided. Each public method ends the pass. */
export class ItemPass {
  readonly #options: ItemPassOptions;
  readonly #writes: JobWrites;
  readonly #access: ReturnType<typeof createTargetAccess>;
  #hasOpened = false;

  constructor(options: ItemPassOptions) {
    const { client, item, signal, target, clusters } = options;
    this.#options = options;
    this.#writes = new JobWrites(options, item, signal);
    const own = target.state === "found" ? target.target : undefined;
    const onOpen = (): void => {
      this.#hasOpened = true;
    };
    this.#access = createTargetAccess({ item, target: own, reader: client, clusters, onOpen, signal });
  }

  /** Gives the clusters back that the pass used. */
  release(): void {
    this.#access.release();
  }

  /** The next pass goes on with the job. */
  async takeOver(): Promise<Result> {
    const { deployer } = this.#writes.item.status ?? {};
    await this.#writes.takeOver();
    this.#options.log.info({ ...this.#fields(), from: deployer?.identity }, "took over");
    return { requeueAfterMs: 0 };
  }

  async acknowledge(): Promise<undefined> {
    await this.#writes.acknowledge();
  }

  async complete(): Promise<undefined> {
    await this.#writes.complete();
  }

  async removeFinalizer(): Promise<undefined> {
    await this.#writes.removeFinalizer();
    this.#options.log.info(this.#fields(), "removed the finalizer");
  }

  /** Deletes the item without uninstalling it. */
  async releaseItem({ leaves }: { readonly leaves: boolean }): Promise<undefined> {
    const { deployer, jobs, log } = this.#options;
    if (leaves && deployer.leave !== undefined) {
      // It has a limit of its own, and does not wait for a share.
      createPassShare(this.#options).force();
      const memory = jobs.enter(this.#writes.item, this.#jobID);
      const failure = await runLeave({
        ...this.#options,
        item: () => this.#writes.item,
        target: this.#access,
        memory,
      });
      this.#options.signal.throwIfAborted();
      if (failure !== undefined) {
        const { message } = toReportable(maskErrorTexts(failure.error, (text) => this.#access.mask(text)));
        const fields = { ...this.#fields(), error: message, place: placeOf(failure.error) };
        log.warn(fields, "could not remove all marks: remaining objects may still name the deploy item as their owner");
      }
    }
    return await this.removeFinalizer();
  }

  async failForTarget(name: string, isDeleting: boolean): Promise<undefined> {
    const { namespace } = this.#options.item.metadata;
    await this.#writes.reject(missingTarget({ namespace, name }, { isDeleting }), { isDeleting, isTest: false });
  }

  async timeOut(isDeleting: boolean): Promise<undefined> {
    const { item } = this.#writes;
    const memory = this.#options.jobs.enter(item, this.#jobID);
    memory.work = isDeleting ? "delete" : "reconcile";
    const error = timeoutError(item, this.#obstacle(memory));
    const kind = { isDeleting, isTest: false };
    const conditions = [...(await this.#abandon(error, memory)), ...untouchedAfter(kind, memory)];
    await this.#writes.fail(error, kind, { conditions });
    this.#logFailure(error, {}, "timed out");
  }

  async start(kind: WorkKind): Promise<Result | undefined> {
    const { jobs, clock, log } = this.#options;
    let planned: PickUpNews = {};
    try {
      timeoutOf(this.#writes.item);
      if (isLargeConfig(this.#writes.item.spec.config)) await ownTurn();
      if (!kind.isDeleting) planned = { providerStatus: this.#plan(), warnings: this.#judgeConfig() };
    } catch (error) {
      const masked = maskErrorTexts(error, maskSettings(this.#writes.item));
      await this.#writes.reject(toReportable(masked), kind);
      return undefined;
    }
    if (!kind.isDeleting) await this.#writes.addFinalizer();
    const pickedUpAt = clock.elapsed();
    const statusBefore = this.#writes.item.status;
    await this.#writes.pickUp(kind, planned);
    const memory = jobs.enter(this.#writes.item, this.#jobID);
    memory.pickedUpAt = pickedUpAt;
    memory.statusBefore = statusBefore;
    log.info(this.#fields(), kind.isDeleting ? "picked up to delete" : "picked up");
    return await this.#takeTurn(kind, memory);
  }

  async resume(kind: WorkKind): Promise<Result | undefined> {
    const elapsedMs = this.#options.clock.elapsed();
    const memory = this.#options.jobs.enter(this.#writes.item, this.#jobID);
    memory.pickedUpAt ??= pickedUpBefore(this.#writes.item, elapsedMs);
    const remainingMs = remainingPauseMs(memory, this.#subject, elapsedMs);
    if (remainingMs > 0 && !kind.isTest) return { requeueAfterMs: remainingMs };
    return await this.#takeTurn(kind, memory);
  }

  /** A picked-up job waits for its share without a worker, until its deadline. */
  async #takeTurn(kind: WorkKind, memory: JobMemory): Promise<Result | undefined> {
    if (createPassShare(this.#options).take()) return await this.#work(kind, memory);
    memory.waitingFor = waitingForShare;
    const elapsedMs = this.#options.clock.elapsed();
    const deadline = deadlineOf(this.#writes.item, memory.pickedUpAt, elapsedMs);
    return deadline === undefined ? undefined : { requeueAfterMs: Math.max(0, deadline - elapsedMs) };
  }

  /** Configuration problems are found before anything is written. */
  #plan(): ProviderStatus | undefined {
    const { deployer } = this.#options;
    const { item } = this.#writes;
    checkConfig(item.spec.config, "spec.config");
    const config = deployer.parseConfig(item.spec.config, "spec.config");
    parseContinuousReconcile(deployer.continuousReconcile?.(config));
    return deployer.plan?.({ item, config, providerStatus: item.status?.providerStatus });
  }

  /** Throws for unknown fields where they are refused. */
  #judgeConfig(): readonly Warning[] {
    const { fieldValidation, warnings } = this.#scrutiny();
    return judgeWarnings(warnings, fieldValidation);
  }

  /** Those of the configuration, and what the job has come upon. */
  async #allWarnings({ warnings: told }: JobMemory): Promise<readonly Warning[]> {
    const { fieldValidation, warnings } = this.#scrutiny();
    // The configuration was judged at the pickup.
    return [
      ...judgeWarnings(warnings, fieldValidation === "Ignore" ? "Ignore" : "Warn"),
      ...(await this.#masked([...told.values()])),
    ];
  }

  async #masked(warnings: readonly Warning[]): Promise<readonly Warning[]> {
    if (warnings.length === 0) return [];
    const secrets = secretConfigValues(this.#writes.item);
    const texts = await redactTextsInTurns(
      warnings.map(({ message }) => message),
      secrets,
      createBreather(),
    );
    return warnings.map(({ reason }, index) => ({ reason, message: texts[index] ?? "" }));
  }

  #scrutiny(): { readonly fieldValidation: FieldValidation; readonly warnings: readonly Warning[] } {
    const { deployer, fieldValidation: configured } = this.#options;
    const { item } = this.#writes;
    const { fieldValidation, warnings } = fieldValidationOf(item.metadata, configured);
    return { fieldValidation, warnings: [...warnings, ...(deployer.findWarnings?.(item) ?? [])] };
  }

  async #work(kind: WorkKind, memory: JobMemory): Promise<Result | undefined> {
    if (kind.isTest) await this.#writes.stripOperation();
    memory.work = kind.isDeleting ? "delete" : "reconcile";
    const deadline = deadlineOf(this.#writes.item, memory.pickedUpAt, this.#options.clock.elapsed());
    const result = await runDeployer({
      ...this.#options,
      item: () => this.#writes.item,
      persist: (status, conditions) => this.#writes.persist(status, conditions),
      target: this.#access,
      memory,
      deadline,
      work: memory.work,
    });
    if (this.#hasOpened || !isSecretMissing(result)) memory.isTouched = true;
    // The process ends, or somebody else has ended the job: whatever happened is not ours to report.
    this.#options.signal.throwIfAborted();
    if (memory.interrupted.aborted) throw new JobLostError();
    return await this.#settle(result, { kind, memory, deadline });
  }

  async #settle(result: RunResult, job: Job): Promise<Result | undefined> {
    const { clock, random, targetWaitMs } = this.#options;
    const end = { ...job, subject: this.#subject, clock, random, targetWaitMs };
    const { statusBefore } = job.memory;
    // There is nothing to uninstall on a target that cannot be opened.
    if (job.kind.isDeleting && isSecretMissing(result) && hasDeployedNothing(statusBefore)) {
      return await this.removeFinalizer();
    }
    const settlement = settle(result, end);
    switch (settlement.type) {
      case "done": {
        if (job.kind.isDeleting) return await this.removeFinalizer();
        const { reported: providerStatus, exportRef, conditions } = settlement.result;
        const warnings = await this.#allWarnings(job.memory);
        await this.#writes.succeed({ providerStatus, exportRef, conditions, warnings }, job.memory);
        this.#options.log.info(this.#fields(), "succeeded");
        return undefined;
      }
      case "wait":
        return await this.#wait(settlement.result, end);
      case "retry":
        return await this.#retry(settlement.result, { ...end, kind: job.kind });
      case "failed":
        return await this.#endFailed(settlement.result, job);
      case "late":
        return await this.#endLate(settlement.result, job);
    }
  }

  async #wait(result: RunResult & { type: "waiting" }, end: PassEnd): Promise<Result> {
    noteObstacle(end.memory, result);
    const { reported: providerStatus, conditions = [], waitingFor } = result;
    const hasNews = providerStatus !== undefined || conditions.length > 0;
    const isNewsworthy = hasNews || this.#writes.item.status?.lastError !== undefined;
    if (noteWait(end, isNewsworthy)) await this.#writes.progress({ waitingFor, providerStatus, conditions });
    return pauseToWait(result, { ...end, subject: this.#subject });
  }

  async #retry(result: RunResult & { type: "failed" }, end: PassEnd & Pick<Job, "kind">): Promise<Result> {
    const { reported: providerStatus, conditions } = result;
    await this.#writes.recordError(toReportable(result.error), end.kind, { providerStatus, conditions });
    const pause = pauseToRetry(result, { ...end, subject: this.#subject });
    this.#logFailure(result.error, { delayMs: pause.requeueAfterMs }, "failed, will be tried again");
    return pause;
  }

  get #subject() {
    return { item: this.#writes.item, target: this.#options.target };
  }

  async #endFailed(result: RunResult & { type: "failed" }, { kind, memory }: Job): Promise<undefined> {
    const warnings = await this.#allWarnings(memory);
    const { reported: providerStatus, conditions = [] } = result;
    const news = { providerStatus, conditions: [...conditions, ...untouchedAfter(kind, memory)], warnings };
    await this.#writes.fail(toReportable(result.error), kind, news);
    this.#logFailure(result.error, {}, "failed");
  }

  async #endLate(result: RunResult & { type: "waiting" | "failed" }, { kind, memory }: Job): Promise<undefined> {
    if (result.type === "waiting") noteObstacle(memory, result);
    const obstacle = findObstacle(result) ?? this.#obstacle(memory);
    const error = timeoutError(this.#writes.item, obstacle);
    const abandoned = await this.#abandon(error, memory);
    const warnings = await this.#allWarnings(memory);
    const { reported: providerStatus, conditions = [] } = result;
    const news = {
      providerStatus,
      conditions: [...conditions, ...abandoned, ...untouchedAfter(kind, memory)],
      warnings,
    };
    await this.#writes.fail(error, kind, news);
    this.#logFailure(error, {}, "timed out");
  }

  /** The deployer puts right what is half done, before the job has ended. Returns the conditions that it reports. */
  async #abandon(error: Error, memory: JobMemory): Promise<readonly ConditionUpdate[]> {
    const { work } = memory;
    if (work === undefined) return [];
    const job = { item: this.#writes.item, memory, work, problem: error.message };
    return (await abandonJob({ ...this.#options, ...job })).conditions;
  }

  #obstacle(memory: JobMemory): Obstacle {
    const { lastError } = this.#writes.item.status ?? {};
    if (lastError !== undefined) return { error: lastError };
    if (memory.workInProgress !== undefined) return { waitingFor: memory.workInProgress };
    return { waitingFor: memory.waitingFor ?? "work in progress", trouble: memory.trouble };
  }

  #logFailure(error: unknown, fields: Readonly<Record<string, unknown>>, message: string): void {
    const reported = toReportable(error);
    const place = reported === error ? {} : { place: placeOf(error) };
    this.#options.log.warn({ ...this.#fields(), error: reported.message, ...place, ...fields }, message);
  }

  get #jobID(): string {
    return this.#writes.item.status?.jobID ?? "";
  }

  #fields(): Readonly<Record<string, unknown>> {
    return { deployItem: formatKey(keyOf(this.#writes.item)), job: this.#jobID };
  }
}
