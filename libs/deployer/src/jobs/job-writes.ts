import { isDeepStrictEqual } from "node:util";
import {
  annotations,
  finalizer,
  findNewWarnings,
  keyOf,
  resources,
  type ConditionUpdate,
  type DeployItem,
  type DeployItemStatus,
} from "@landscaper/api";
import { isConflict, isNotFound } from "@landscaper/controller-runtime";
import type { ProviderStatus } from "../deployer-interface.ts";
import {
  acknowledgeStatus,
  errorStatus,
  finishStatus,
  pickUpStatus,
  progressStatus,
  rejectStatus,
  reportedStatus,
  type Finish,
  type PickUp,
  type Progress,
  type Reported,
} from "./job-status.ts";
import { forcedJobId, isPickedUp } from "./decide-job.ts";
import { isNews } from "./job-change.ts";
import type { JobMemory } from "./job-registry.ts";
import type { ReconcilerOptions } from "../reconciler-options.ts";
import { isTheirs } from "../sharing/decide-claim.ts";
import { createStatusWriter, JobLostError, lostTo, type StatusWriter } from "./reporting/status-writer.ts";

/** Lost races against other writers of the item that are settled at once. */
const maxRaces = 5;

export interface WorkKind {
  readonly isDeleting: boolean;
  /** Started by the annotation test-reconcile. */
  readonly isTest: boolean;
}

/** What goes with the pickup of a job. */
export type PickUpNews = Pick<PickUp, "providerStatus" | "warnings">;

/** Every write to one DeployItem during one pass, each guarded, each with the events that belong to it. */
export class JobWrites {
  readonly #options: ReconcilerOptions;
  readonly #signal: AbortSignal;
  readonly #writer: StatusWriter;

  constructor(options: ReconcilerOptions, item: DeployItem, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#writer = createStatusWriter({ client: options.client, claims: options.claims, item, signal });
  }

  /** As of the last write. */
  get item(): DeployItem {
    return this.#writer.item;
  }

  async pickUp(kind: WorkKind, news: PickUpNews): Promise<void> {
    const pickUp = { ...this.#pickUp(kind), ...news };
    await this.#write((item) => pickUpStatus(item, pickUp));
  }

  /** Tells of warnings that are new. */
  async #write(change: (item: DeployItem) => DeployItemStatus): Promise<void> {
    let before: DeployItemStatus | undefined;
    await this.#writer.write((item) => {
      before = item.status;
      return change(item);
    });
    const warning = findNewWarnings(this.item.status?.conditions, before?.conditions);
    if (warning !== undefined) this.#options.notifier.warned(this.item, warning);
  }

  /** From a replica that is gone: the claim on a job that is in work. */
  async takeOver(): Promise<void> {
    const { deployer } = this.#pickUp({ isDeleting: false, isTest: false });
    await this.#writer.write((item) => ({ ...item.status, deployer }));
  }

  /** Nothing of the job changes: it may have ended. */
  async persist(providerStatus: ProviderStatus | undefined, conditions: readonly ConditionUpdate[]): Promise<void> {
    const now = this.#now();
    await this.#writeWorked((item) => reportedStatus(item, { now, providerStatus, conditions }));
  }

  async progress(progress: Omit<Progress, "now">): Promise<void> {
    const now = this.#now();
    await this.#writeWorked((item) => progressStatus(item, { now, ...progress }));
  }

  /** Adds workedSeconds to a write that changes something else. */
  async #writeWorked(change: (item: DeployItem) => DeployItemStatus): Promise<void> {
    const pickedUpAt = this.#options.jobs.find(this.item)?.pickedUpAt;
    await this.#writer.write((item) => {
      const status = change(item);
      if (pickedUpAt === undefined || !isPickedUp(item) || isDeepStrictEqual(status, item.status)) return status;
      return { ...status, workedSeconds: Math.floor((this.#options.clock.elapsed() - pickedUpAt) / 1000) };
    });
  }

  /** The job goes on; only an error that is new is told. */
  async recordError(error: Error, kind: WorkKind, reported: Reported): Promise<void> {
    const before = this.item.status?.lastError;
    const failure = { now: this.#now(), error, operation: operationOf(kind), ...reported };
    await this.#writeWorked((item) => errorStatus(item, failure));
    const now = this.item.status?.lastError;
    const isNews = withoutTries(now?.message) !== withoutTries(before?.message) || now?.reason !== before?.reason;
    if (isNews) this.#options.notifier.failing(this.item);
  }

  async succeed(
    result: Pick<Finish, "providerStatus" | "exportRef" | "conditions" | "warnings">,
    memory: JobMemory,
  ): Promise<void> {
    const finish: Finish = { now: this.#now(), phase: "Succeeded", ...result };
    await this.#end((item) => finishStatus(item, finish));
    const { notifier } = this.#options;
    notifier.finished(this.item);
    if (isNews(memory, this.item.status ?? {})) notifier.succeeded(this.item);
  }

  /** Ends the deletion of an item that others still keep; a job without uninstall was not picked up before. */
  async complete(): Promise<void> {
    const pickUp = this.#pickUp({ isDeleting: true, isTest: false });
    await this.#end((item) =>
      isPickedUp(item) ? finishStatus(item, { now: this.#now(), phase: "Succeeded" }) : acknowledgeStatus(item, pickUp),
    );
    this.#options.notifier.finished(this.item);
  }

  async fail(
    error: Error,
    kind: WorkKind,
    news: Pick<Finish, "providerStatus" | "conditions" | "warnings"> = {},
  ): Promise<void> {
    const failure = { error, operation: operationOf(kind) };
    const phase = kind.isDeleting ? "DeleteFailed" : "Failed";
    await this.#end((item) => finishStatus(item, { now: this.#now(), phase, failure, ...news }));
    this.#options.notifier.finished(this.item);
  }

  /** Ends a job that has not been picked up. */
  async reject(error: Error, kind: WorkKind): Promise<void> {
    const pickUp = this.#pickUp(kind);
    const failure = { error, operation: operationOf(kind) };
    await this.#end((item) => rejectStatus(item, pickUp, failure));
    this.#options.notifier.refused(this.item);
    if (kind.isTest) await this.stripOperation();
  }

  async acknowledge(): Promise<void> {
    const pickUp = this.#pickUp({ isDeleting: false, isTest: false });
    await this.#end((item) => acknowledgeStatus(item, pickUp));
    this.#options.notifier.acknowledged(this.item);
  }

  async #end(change: (item: DeployItem) => DeployItemStatus): Promise<void> {
    await this.#write(change);
    this.#options.jobs.leave(this.item);
  }

  async addFinalizer(): Promise<void> {
    if (this.item.metadata.finalizers?.includes(finalizer) === true) return;
    if (this.item.metadata.deletionTimestamp !== undefined) return;
    await this.#updateMetadata((finalizers) => [...finalizers.filter((name) => name !== finalizer), finalizer]);
  }

  /** With the last finalizer the object goes; otherwise the job is ended by a later pass. */
  async removeFinalizer(): Promise<void> {
    await this.#updateMetadata((finalizers) => finalizers.filter((name) => name !== finalizer));
    this.#options.jobs.leave(this.item);
    this.#options.notifier.deleted(this.item);
  }

  /** The request is answered by the job that the status now names. */
  async stripOperation(): Promise<void> {
    const body = { metadata: { annotations: { [annotations.operation]: null } } };
    const { client } = this.#options;
    try {
      const patch = { type: "merge", body, signal: this.#signal } as const;
      this.#writer.observe(await client.patch(resources.deployItem, keyOf(this.item), patch));
    } catch (error) {
      if (isNotFound(error)) throw new JobLostError();
      throw error;
    }
  }

  async #updateMetadata(change: (finalizers: readonly string[]) => string[]): Promise<void> {
    const { client } = this.#options;
    const { uid } = this.item.metadata;
    for (let races = 0; ; races++) {
      try {
        const finalizers = change(this.item.metadata.finalizers ?? []);
        const changed = { ...this.item, metadata: { ...this.item.metadata, finalizers } };
        this.#writer.observe(await client.update(resources.deployItem, changed, { signal: this.#signal }));
        return;
      } catch (error) {
        if (isNotFound(error)) throw new JobLostError();
        if (!isConflict(error) || races >= maxRaces) throw error;
        const fresh = await client.find(resources.deployItem, keyOf(this.item), { signal: this.#signal });
        const isSame = fresh?.metadata.uid === uid && fresh?.status?.jobID === this.item.status?.jobID;
        const { claims } = this.#options;
        if (fresh === undefined) throw new JobLostError();
        if (!isSame || isTheirs(claims.of(fresh))) throw lostTo(fresh, this.item, claims);
        this.#writer.observe(fresh);
      }
    }
  }

  #pickUp({ isDeleting, isTest }: WorkKind): PickUp {
    const { deployer, claims, newJobId } = this.#options;
    const info = { identity: claims.holder, name: deployer.name, version: deployer.version };
    const isOpen = this.item.status?.jobID !== this.item.status?.jobIDFinished;
    // A test-reconcile of an item whose job is open joins that job. Without an open job, a deletion is forced.
    const job = isOpen ? {} : { jobID: isTest ? newJobId() : forcedJobId };
    return { now: this.#now(), deployer: info, isDeleting, ...job };
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}

/** Of a server that does not answer, the number of tries and the time of the next one are no news. */
function withoutTries(message: string | undefined): string | undefined {
  return message?.replace(/\d+ times in a row; the next try is at [\dT:-]+Z/, "");
}

function operationOf({ isDeleting }: WorkKind): string {
  return isDeleting ? "Delete" : "Reconcile";
}
