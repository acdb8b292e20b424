import { isFailedPhase, isJobOpen, keyOf, type DeployItem, type ObjectKey } from "@landscaper/api";
import type { Reconcile, Result, WorkSlot } from "@landscaper/controller-runtime";
import { abandonJob, type AbandonedJob } from "./jobs/abandon-job.ts";
import { deadlineOf } from "./jobs/deadline.ts";
import { reconcileBetweenJobs } from "./continuous/continuous-reconciler.ts";
import type { DeployerWork } from "./deployer-interface.ts";
import { decideJob, isSelected, type JobDecision } from "./jobs/decide-job.ts";
import type { JobMemory } from "./jobs/job-registry.ts";
import { JobWrites } from "./jobs/job-writes.ts";
import { ItemPass } from "./jobs/item-pass.ts";
import { reconcilePreview } from "./preview/preview-reconciler.ts";
import type { ReconcilerOptions } from "./reconciler-options.ts";
import { isTheirs } from "./sharing/decide-claim.ts";
import { JobLostError } from "./jobs/reporting/status-writer.ts";
import type { ObservedTarget } from "./target/target-observer.ts";

/** The reconciler of a deployer: observe, decide (`decideJob`), perform (`ItemPass`). */
export function createItemReconciler(options: ReconcilerOptions): Reconcile {
  return async (key: ObjectKey, signal: AbortSignal, slot: WorkSlot): Promise<Result | undefined> => {
    const item = options.items.get(key);
    if (item === undefined) return undefined;
    // Most events are of items without open job or of other deployers: decided before anything is read.
    const { deployer, targetSelectors, claims, clock, jobs, stepBacks, targets } = options;
    const isOutdated = (): boolean => deployer.isOutdated?.(item) === true;
    const isForced = (): boolean => deployer.isForced?.(item) === true;
    const responsibility = { type: deployer.type, targetSelectors, claim: claims.of(item), isOutdated, isForced };
    const deadline = deadlineOf(item, jobs.find(item)?.pickedUpAt, clock.elapsed());
    const decide = (target: ObservedTarget): JobDecision =>
      decideJob({ item, target, deadline }, responsibility, clock.elapsed());
    if (decide({ state: "none" }).type === "idle") {
      const isCleanedUp = await abandonEnded(options, item, { signal, slot });
      // Even a job that another replica has taken over: this replica no longer watches what the job waits for.
      jobs.forget(item);
      const retryMs = isCleanedUp ? undefined : abandonRetryMs;
      return await reconcileIdle(options, item, { signal, slot, retryMs });
    }
    const observed = await targets.observe(item, signal);
    const isBeginning = decide(observed).type === "start";
    const target = isBeginning ? await targets.confirm(item, signal) : observed;
    const decision = decide(target);
    if (decision.type === "idle" || decision.type === "stepBack" || decision.type === "wait") {
      jobs.forget(item);
      if (decision.type === "stepBack") stepBacks.tell(item, decision.holder);
      return decision.type === "wait" ? { requeueAfterMs: decision.leftMs } : undefined;
    }
    const pass = new ItemPass({ ...options, item, target, signal, slot });
    try {
      return await perform(pass, decision);
    } catch (error) {
      if (!(error instanceof JobLostError)) throw error;
      jobs.lose(item);
      stepBacks.tell(item, error.holder);
      return undefined;
    } finally {
      pass.release();
    }
  };
}

interface PassContext {
  readonly signal: AbortSignal;
  readonly slot: WorkSlot;
}

/** Pause before a deployer retries the repair of what an ended job has left. */
const abandonRetryMs = 30_000;

/**
 * Repairs what a job has left that was ended from outside: while it waited, while it worked, or while no process ran. Reports the repair in the conditions
 * of the item. Returns false if the repair is incomplete.
 */
async function abandonEnded(
  options: ReconcilerOptions,
  item: DeployItem,
  { signal, slot }: PassContext,
): Promise<boolean> {
  const known = options.jobs.takeEnded(item);
  if (isJobOpen(item.status) || isTheirs(options.claims.of(item))) return true;
  const ended = known?.work === undefined ? findLeft(options, item) : endOf(known, known.work);
  if (ended === undefined) return true;
  const target = await options.targets.observe(item, signal);
  if (!isSelected({ item, target }, options.targetSelectors)) return true;
  const { conditions, isDone } = await abandonJob({ ...options, ...ended, item, target, signal, slot });
  if (conditions.length === 0) return isDone;
  try {
    await new JobWrites(options, item, signal).persist(undefined, conditions);
  } catch (error) {
    // The next job reports its own conditions.
    if (!(error instanceof JobLostError)) throw error;
  }
  return isDone;
}

type EndedJob = Pick<AbandonedJob, "memory" | "work" | "problem">;

function endOf(memory: JobMemory, work: DeployerWork): EndedJob {
  return { memory, work, problem: `the job was ended from outside at: "${memory.waitingFor ?? "work in progress"}"` };
}

/** A job that no process has worked on until its end. */
function findLeft({ deployer, jobs }: ReconcilerOptions, item: DeployItem): EndedJob | undefined {
  if (!isFailedPhase(item.status?.phase) || deployer.isLeft?.(item) !== true) return undefined;
  const work = item.metadata.deletionTimestamp === undefined ? "reconcile" : "delete";
  const memory = jobs.enter(item, item.status?.jobID ?? "");
  return { memory, work, problem: "the job was ended from outside while no deployer worked on it" };
}

/** An item without work of a job. A plan comes first: its user waits for it. */
async function reconcileIdle(
  options: ReconcilerOptions,
  item: DeployItem,
  { signal, slot, retryMs }: PassContext & { readonly retryMs: number | undefined },
): Promise<Result | undefined> {
  const planned = await reconcilePreview(options, { item, signal, slot });
  const fresh = options.items.get(keyOf(item));
  if (fresh === undefined) return planned;
  const repeated = await reconcileBetweenJobs(options, { item: fresh, signal, slot });
  const delays = [planned?.requeueAfterMs, repeated?.requeueAfterMs, retryMs].filter(
    (delayMs) => delayMs !== undefined,
  );
  return delays.length === 0 ? undefined : { requeueAfterMs: Math.min(...delays) };
}

type WorkDecision = Exclude<JobDecision, { readonly type: "idle" | "stepBack" | "wait" }>;

async function perform(pass: ItemPass, decision: WorkDecision): Promise<Result | undefined> {
  switch (decision.type) {
    case "takeOver":
      return await pass.takeOver();
    case "acknowledge":
      return await pass.acknowledge();
    case "release":
      return await pass.releaseItem(decision);
    case "complete":
      return await pass.complete();
    case "targetMissing":
      return await pass.failForTarget(decision.targetName, decision.isDeleting);
    case "timeOut":
      return await pass.timeOut(decision.isDeleting);
    case "start":
      return await pass.start(decision);
    case "resume":
      return await pass.resume(decision);
  }
}
