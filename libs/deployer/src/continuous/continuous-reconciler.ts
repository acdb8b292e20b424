import type { DeployItem } from "@landscaper/api";
import type { Result, WorkSlot } from "@landscaper/controller-runtime";
import { ContinuousPass } from "./continuous-pass.ts";
import { decideContinuous, type ContinuousDecision } from "./decide-continuous.ts";
import { isOfType, isSelected } from "../jobs/decide-job.ts";
import type { ReconcilerOptions } from "../reconciler-options.ts";
import { JobLostError } from "../jobs/reporting/status-writer.ts";

export interface BetweenJobs {
  readonly item: DeployItem;
  readonly signal: AbortSignal;
  readonly slot: WorkSlot;
}

/** An item without work of a job: repeats what was deployed where its configuration says so. */
export async function reconcileBetweenJobs(
  options: ReconcilerOptions,
  { item, signal, slot }: BetweenJobs,
): Promise<Result | undefined> {
  const { deployer, targetSelectors, claims, clock, runs, items, stepBacks, targets } = options;
  // The configuration of another deployer's item is not ours to read.
  if (!isOfType(item, deployer.type)) return undefined;
  const decision = decide(options, item);
  if (decision.type === "off") {
    runs.forget(item);
    return undefined;
  }
  if (decision.type === "wait") return { requeueAfterMs: decision.untilMs - clock.now() };
  const claim = claims.of(item);
  const look = runs.find(item) === undefined ? targets.confirm : targets.observe;
  const target = claim.type === "theirs" ? undefined : await look(item, signal);
  if (target === undefined || !isSelected({ item, target }, targetSelectors)) {
    runs.forget(item);
    return undefined;
  }
  if (claim.type === "wait") return { requeueAfterMs: claim.leftMs };
  const pass = new ContinuousPass({ ...options, item, target, signal, slot });
  try {
    const result = await pass.run();
    if (result !== undefined) return result;
    const fresh = items.get({ namespace: item.metadata.namespace, name: item.metadata.name ?? "" });
    const next = fresh === undefined ? undefined : decide(options, fresh);
    return next?.type === "wait" ? { requeueAfterMs: next.untilMs - clock.now() } : undefined;
  } catch (error) {
    if (!(error instanceof JobLostError)) throw error;
    runs.leave(item);
    stepBacks.tell(item, error.holder);
    return undefined;
  } finally {
    pass.release();
  }
}

function decide({ schedules, runs, clock }: ReconcilerOptions, item: DeployItem): ContinuousDecision {
  return decideContinuous(
    { item, schedule: schedules.of(item), isRunning: runs.find(item) !== undefined },
    clock.now(),
  );
}
