import { executionPhases as phases, finalizer, resources, type Execution, type LandscaperError } from "@landscaper/api";
import { nowOf, type Core } from "../core.ts";
import { addTime, enterJob, finishJob, movePhase } from "../job-status.ts";
import { addFinalizer, removeFinalizer, type ObjectFinalizer } from "../finalizers.ts";
import { applyDeployItems } from "./actions/apply-deploy-items.ts";
import { collectExports } from "./actions/collect-exports.ts";
import { confirmDeployItems } from "./actions/confirm-deploy-items.ts";
import { deleteDeployItems } from "./actions/delete-deploy-items.ts";
import { startDeletion } from "./actions/start-deletion.ts";
import { interruptDeployItems } from "./actions/interrupt-deploy-items.ts";
import { triggerDeployItems } from "./actions/trigger-deploy-items.ts";
import { listDeployItems } from "./deploy-item-index.ts";
import { describeRetriedItem } from "../root-cause.ts";
import type { ExecutionDecision } from "./execution-decision.ts";
import { noteItems, storeExecutionStatus, withExecutionStatus, type ExecutionPass } from "./execution-pass.ts";

/** Carries one decision out. What only changes the status of the pass is not written here. */
export async function performExecutionDecision(
  core: Core,
  { pass, decision }: { readonly pass: ExecutionPass; readonly decision: ExecutionDecision },
  signal: AbortSignal,
): Promise<ExecutionPass | "end"> {
  const { kind } = decision;
  switch (kind) {
    case "rest":
      return "end";
    case "add-finalizer":
      return { ...pass, execution: await addFinalizer(core.client, finalizerOf(pass), signal) };
    case "start-deletion":
      return startDeletion(core, pass, signal);
    case "interrupt":
      return interruptDeployItems(core, pass, signal);
    case "enter":
      return enter(core, pass, decision.phase);
    case "apply-items":
      return applyDeployItems(core, pass, signal);
    case "trigger":
      return triggerDeployItems(core, { pass, items: decision.items }, signal);
    case "confirm-items":
      return confirmDeployItems(core, { pass, items: decision.items }, signal);
    case "wait":
      await storeExecutionStatus(core, pass, { signal, waiting: withRetry(core, pass, decision.message) });
      return "end";
    case "advance":
      return withExecutionStatus(pass, movePhase(pass.status, decision.phase, nowOf(core)));
    case "complete":
      return finishExecution(core, { pass: await collectExports(core, pass, signal), phase: phases.succeeded }, signal);
    case "delete-items":
      return deleteDeployItems(core, pass, signal);
    case "finish":
      return finishExecution(core, { pass, phase: decision.phase, error: decision.error }, signal);
    case "release":
      await removeFinalizer(core.client, finalizerOf(pass), signal);
      core.announcer.released(pass.execution);
      return "end";
  }
}

function withRetry({ informers }: Core, { execution }: ExecutionPass, message: string): string {
  const retry = describeRetriedItem(listDeployItems(informers.deployItems.lister, execution));
  return retry === undefined ? message : `${message}; ${retry}`;
}

function finalizerOf({ execution }: ExecutionPass): ObjectFinalizer<Execution> {
  return { type: resources.execution, object: execution, finalizer };
}

function enter(core: Core, pass: ExecutionPass, phase: "Init" | "InitDelete"): ExecutionPass {
  const { generation } = pass.execution.metadata;
  const entered = enterJob(pass.status, { phase, generation }, nowOf(core));
  return withExecutionStatus(pass, addTime(entered, "initTime", nowOf(core)));
}

/** Ends the job in one guarded write: final phase, jobIDFinished, lastError. */
export async function finishExecution(
  core: Core,
  options: {
    readonly pass: ExecutionPass;
    readonly phase: "Succeeded" | "Failed" | "DeleteFailed";
    readonly error?: LandscaperError | undefined;
  },
  signal: AbortSignal,
): Promise<ExecutionPass> {
  const { pass, phase, error } = options;
  const noted = noteItems(core, pass);
  const status = { ...finishJob(pass.status, { phase, error }, nowOf(core)), ...noted };
  return storeExecutionStatus(core, withExecutionStatus(pass, status), { signal });
}
