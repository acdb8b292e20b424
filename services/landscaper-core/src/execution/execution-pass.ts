import {
  decodeDeployItems,
  executionPhases as phases,
  isJobOpen,
  LandscaperError,
  resources,
  type DeployItemTemplate,
  type Execution,
  type ExecutionStatus,
} from "@landscaper/api";
import type { Core } from "../core.ts";
import { storeJobStatus } from "../store-status.ts";
import { findDeployItems } from "./deploy-item-index.ts";
import { noteDeployItems } from "./identify-deploy-items.ts";

/** One run over an Execution. Phases that it falls through live in `status` until it blocks or ends. */
export interface ExecutionPass {
  /** As the API server returned it last. */
  readonly execution: Execution;
  readonly status: ExecutionStatus;
  /** `status` has another phase than the stored one. */
  readonly isUnstored: boolean;
  /** Decoded items of the spec. */
  readonly templates: readonly DeployItemTemplate[];
  /** Why the spec cannot be read; deletion works without. */
  readonly specError?: LandscaperError;
  /** When this process began with the stored status (ms of a clock that nobody sets). */
  readonly beganMs: number;
}

export function startExecutionPass(execution: Execution, elapsedMs: number): ExecutionPass {
  const status = execution.status ?? {};
  const pass: ExecutionPass = { execution, status, isUnstored: false, templates: [], beganMs: elapsedMs };
  if (!isJobOpen(status)) return pass;
  try {
    return { ...pass, templates: decodeDeployItems(execution.spec) };
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    return { ...pass, specError: error };
  }
}

export function withExecutionStatus(pass: ExecutionPass, status: ExecutionStatus): ExecutionPass {
  const { phase = "" } = status;
  return { ...pass, status, isUnstored: pass.isUnstored || (phase !== "" && phase !== pass.status.phase) };
}

/** Returns the part of the status that notes the DeployItems of the Execution. It is empty while an item is ambiguous, so that the next job reports this again. */
export function noteItems(core: Core, { execution }: ExecutionPass): Pick<ExecutionStatus, "deployItemCache"> {
  const { items, ambiguous } = findDeployItems(core.informers.deployItems.lister, execution);
  if (ambiguous.length > 0) return {};
  return { deployItemCache: noteDeployItems(items) };
}

/** Returns true if the note is missing, or may lack items: a job that failed to create one of them stays in Init with those it has created. */
function isNoteDue({ deployItemCache, phase }: ExecutionStatus): boolean {
  return deployItemCache === undefined || phase === phases.init;
}

/** Stores the status of the pass, which notes the DeployItems: from then on, this core takes over no unknown ones. `waiting` says what the job waits for. */
export async function storeExecutionStatus(
  core: Core,
  pass: ExecutionPass,
  { signal, waiting }: { readonly signal: AbortSignal; readonly waiting?: string | undefined },
): Promise<ExecutionPass> {
  const execution = await storeJobStatus(core, {
    type: resources.execution,
    object: pass.execution,
    status: isNoteDue(pass.status) ? { ...pass.status, ...noteItems(core, pass) } : pass.status,
    waiting,
    announce: core.announcer.execution,
    signal,
  });
  return { ...pass, execution, status: execution.status ?? {}, isUnstored: false };
}
