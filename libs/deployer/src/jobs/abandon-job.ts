import { formatKey, keyOf, type ConditionUpdate, type DeployItem } from "@landscaper/api";
import type { WorkSlot } from "@landscaper/controller-runtime";
import { maskErrorTexts } from "@landscaper/egress";
import type { ObservedTarget } from "../target/target-observer.ts";
import type { DeployerWork } from "../deployer-interface.ts";
import type { JobMemory } from "./job-registry.ts";
import type { ReconcilerOptions } from "../reconciler-options.ts";
import { placeOf, toReportable } from "./reporting/reportable-error.ts";
import { runAbandon } from "./run-deployer.ts";
import { createTargetAccess } from "../target/target-access.ts";
import { createPassShare } from "../target/target-share.ts";

export interface AbandonedJob extends ReconcilerOptions {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
  readonly memory: JobMemory;
  readonly work: DeployerWork;
  /** Why the job has ended. */
  readonly problem: string;
  readonly signal: AbortSignal;
  readonly slot: WorkSlot;
}

export interface AbandonOutcome {
  /** Conditions that the deployer reports; the caller writes them. */
  readonly conditions: readonly ConditionUpdate[];
  /** False if the repair is incomplete. */
  readonly isDone: boolean;
}

/** Lets the deployer repair what a job, or a run between jobs, has left that has ended without it. Rejects only when the process ends. */
export async function abandonJob(job: AbandonedJob): Promise<AbandonOutcome> {
  const { deployer, client, clusters, item, target, log, signal } = job;
  if (deployer.abandon === undefined) return { conditions: [], isDone: true };
  // The end of a job does not wait: it has a limit of its own.
  createPassShare(job).force();
  const own = target.state === "found" ? target.target : undefined;
  const access = createTargetAccess({ item, target: own, reader: client, clusters, signal });
  try {
    const { conditions, failure } = await runAbandon({ ...job, item: () => item, target: access });
    signal.throwIfAborted();
    if (failure !== undefined) {
      const { error } = failure;
      const fields = {
        deployItem: formatKey(keyOf(item)),
        error: toReportable(maskErrorTexts(error, (text) => access.mask(text))).message,
        place: placeOf(error),
      };
      log.warn(fields, "could not put right what the job has left");
    }
    return { conditions, isDone: failure === undefined };
  } finally {
    access.release();
  }
}
