import { allowedRemovals, executionPhases as phases, isDeletionPhase, isJobAtWork, isJobOpen } from "@landscaper/api";
import type { Reconcile } from "@landscaper/controller-runtime";
import { classifyFailure, isWorthTelling, toSafeError, toTold } from "../api-failure.ts";
import { nowOf, type Core } from "../core.ts";
import { setError } from "../job-status.ts";
import { findInstallation } from "../installation/find-execution.ts";
import { isDeleting } from "../object-reading.ts";
import { decideExecution } from "./decide-execution.ts";
import { findDeployItems } from "./deploy-item-index.ts";
import type { ExecutionDecision } from "./execution-decision.ts";
import { startExecutionPass, storeExecutionStatus, withExecutionStatus, type ExecutionPass } from "./execution-pass.ts";
import { HeldPasses } from "./held-passes.ts";
import { finishExecution, performExecutionDecision } from "./perform-decision.ts";

/** More steps than any pass needs: each chain of dependent items may add one, which only deletions do. */
const maxSteps = 64;

/** Reconciles Executions: observe, decide, perform, until the pass blocks or ends (style.md §3.4). */
export function createExecutionReconciler(core: Core): Reconcile {
  const held = new HeldPasses();
  return async (key, signal, slot) => {
    const execution = core.informers.executions.lister.get(key);
    if (execution === undefined) {
      held.forget(key);
      core.lostAccess.forget("Execution", key);
      return undefined;
    }
    // Exports are read in threads, which may wait for the jobs of other namespaces: that holds no worker.
    if (!slot.takeShare({ namespace: key.namespace ?? "" })) return undefined;
    let pass = held.take(execution) ?? startExecutionPass(execution, core.clock.elapsed());
    for (let step = 0; step < maxSteps; step += 1) {
      const decision = decide(core, pass);
      const requeueAfterMs = decision.kind === "wait" ? held.hold(pass, core.clock) : undefined;
      if (requeueAfterMs !== undefined) return { requeueAfterMs };
      const outcome = await perform(core, { pass, decision }, signal);
      if (outcome === "end") return undefined;
      pass = outcome;
    }
    throw new Error(`execution pass took more than ${maxSteps} steps in phase ${pass.status.phase ?? "(none)"}`);
  };
}

function decide(core: Core, pass: ExecutionPass): ExecutionDecision {
  const { items: deployItems, ambiguous } = findDeployItems(core.informers.deployItems.lister, pass.execution);
  const { empty: allowsEmpty } = allowedRemovals(pass.execution.metadata, core.emptyProtection);
  const isOwned = findInstallation(core.informers, pass.execution) !== undefined;
  return decideExecution({
    ...pass,
    deployItems,
    ambiguous,
    allowsEmpty,
    isOwned,
    isAccessBack: !isOwned && isAccessBack(core, pass),
  });
}

/** Whether a failed deletion without Installation may continue. */
function isAccessBack({ lostAccess }: Core, { execution, status }: ExecutionPass): boolean {
  const hasFailed = isDeleting(execution) && status.phase === phases.deleteFailed && !isJobOpen(status);
  return hasFailed && lostAccess.isBack({ kind: "Execution", object: execution });
}

async function perform(
  core: Core,
  { pass, decision }: { readonly pass: ExecutionPass; readonly decision: ExecutionDecision },
  signal: AbortSignal,
): Promise<ExecutionPass | "end"> {
  try {
    return await performExecutionDecision(core, { pass, decision }, signal);
  } catch (error) {
    signal.throwIfAborted();
    return takeFailure(core, { pass, error: toSafeError(error), isTold: isWorthTelling(error) }, signal);
  }
}

async function takeFailure(
  core: Core,
  { pass, error, isTold }: { readonly pass: ExecutionPass; readonly error: unknown; readonly isTold: boolean },
  signal: AbortSignal,
): Promise<ExecutionPass> {
  const { phase } = pass.status;
  const isWorking = isJobOpen(pass.status) && isJobAtWork(phase);
  const told = toTold(error);
  if (!isWorking || told === undefined) throw error;
  if (classifyFailure(told) === "fatal") {
    const failedPhase = isDeletionPhase(phase) ? phases.deleteFailed : phases.failed;
    return finishExecution(core, { pass, phase: failedPhase, error: told }, signal);
  }
  const status = setError(pass.status, told, nowOf(core));
  if (isTold) await storeExecutionStatus(core, withExecutionStatus(pass, status), { signal });
  throw error;
}
