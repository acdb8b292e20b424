import {
  annotations,
  emptyingError,
  executionPhases as phases,
  finalizer,
  isDeletionPhase,
  isJobAtWork,
  isJobOpen,
  LandscaperError,
  operations,
  type DeployItem,
  type DeployItemTemplate,
  type Execution,
  type ExecutionStatus,
} from "@landscaper/api";
import { isReleasedAtOnce } from "../deploy-item/leaving-items.ts";
import { annotationOf, hasAnnotation, hasFinalizer, isDeleting, isReleasing } from "../object-reading.ts";
import { describeFailedItems } from "../root-cause.ts";
import { classifyForDeletion, classifyForInstall } from "./classify-deploy-items.ts";
import { itemNameOf } from "./deploy-item-identity.ts";
import type { ExecutionDecision } from "./execution-decision.ts";
import { ambiguityError, type AmbiguousItem } from "./identify-deploy-items.ts";

/** Everything that decides what an Execution does next. */
export interface ObservedExecution {
  readonly execution: Execution;
  /** The status that the running pass has come to. */
  readonly status: ExecutionStatus;
  /** Decoded items of the spec. */
  readonly templates: readonly DeployItemTemplate[];
  /** Why the spec cannot be decoded. */
  readonly specError?: LandscaperError | undefined;
  readonly deployItems: readonly DeployItem[];
  /** Items with several DeployItems that the core could take over. */
  readonly ambiguous?: readonly AmbiguousItem[];
  /** Whether an Installation owns it, which gives it its jobs. */
  readonly isOwned: boolean;
  /** After a failed deletion without Installation: whether the Targets and Secrets that were missing exist again. */
  readonly isAccessBack: boolean;
  /** Whether a job may leave no item where there was one. */
  readonly allowsEmpty: boolean;
}

/** The next step of an Execution (core.md §2.5, §2.6). */
export function decideExecution(observed: ObservedExecution): ExecutionDecision {
  const { execution, status } = observed;
  if (annotationOf(execution, annotations.operation) === operations.interrupt) return { kind: "interrupt" };
  if (!isDeleting(execution) && !hasFinalizer(execution, finalizer)) return { kind: "add-finalizer" };
  if (!isJobOpen(status)) return decideWithoutJob(observed);
  const { phase = "" } = status;
  if (!isJobAtWork(phase)) return isReleasing(execution) ? { kind: "rest" } : enter(execution);
  const error = ambiguityError(observed.ambiguous ?? []);
  if (error !== undefined) {
    return { kind: "finish", phase: isDeleting(execution) ? phases.deleteFailed : phases.failed, error };
  }
  switch (phase) {
    case phases.init:
      return decideInit(observed);
    case phases.progressing:
      return decideProgressing(observed);
    case phases.completing:
      return { kind: "complete" };
    case phases.initDelete:
      return { kind: "delete-items" };
    case phases.deleting:
      return decideDeleting(observed);
    default:
      // A phase that no version of the protocol knows: begin again.
      return enter(execution);
  }
}

/** Only an Installation or, without one, the core starts deletion jobs. After a failed one, `operation: reconcile` starts another. */
function decideWithoutJob({ execution, status, isOwned, isAccessBack }: ObservedExecution): ExecutionDecision {
  const mayStart = isDeleting(execution) && hasFinalizer(execution, finalizer) && !isOwned && !isReleasing(execution);
  if (!mayStart) return { kind: "rest" };
  const isTriggered = annotationOf(execution, annotations.operation) === operations.reconcile;
  return isTriggered || isAccessBack || !isDeletionPhase(status.phase) ? { kind: "start-deletion" } : { kind: "rest" };
}

function enter(execution: Execution): ExecutionDecision {
  return { kind: "enter", phase: isDeleting(execution) ? phases.initDelete : phases.init };
}

/** An item that somebody deleted has to be gone before there can be a new one. */
function decideInit(observed: ObservedExecution): ExecutionDecision {
  const { templates, deployItems, status } = observed;
  const error = observed.specError ?? emptyingErrorOf(observed);
  if (error !== undefined) return { kind: "finish", phase: phases.failed, error };
  const names = new Set(templates.map(({ name }) => name));
  const leaving = deployItems.filter((item) => isDeleting(item) && names.has(itemNameOf(item)));
  return decideRemoval(leaving, status.jobID ?? "", phases.failed) ?? { kind: "apply-items" };
}

function emptyingErrorOf({ templates, deployItems, allowsEmpty }: ObservedExecution): LandscaperError | undefined {
  const left = deployItems.filter((item) => !isDeleting(item));
  if (templates.length > 0 || left.length === 0 || allowsEmpty) return undefined;
  return emptyingError("no deploy item", left.map(itemNameOf));
}

function decideProgressing({ templates, specError, deployItems, status }: ObservedExecution): ExecutionDecision {
  if (specError !== undefined) return { kind: "finish", phase: phases.failed, error: specError };
  const jobID = status.jobID ?? "";
  const names = new Set(templates.map(({ name }) => name));
  const orphans = deployItems.filter((item) => !names.has(itemNameOf(item)));
  // Orphans block everything else (core.md §4.11).
  const removal = decideRemoval(orphans, jobID, phases.failed);
  if (removal !== undefined) return removal;
  const { missing, running, failed, runnable, pending } = classifyForInstall(templates, deployItems, jobID);
  // Fail fast, and drain: nothing new starts, what runs may end.
  if (failed.length + missing.length > 0 && running.length > 0) return waitForItems();
  if (failed.length > 0) return { kind: "finish", phase: phases.failed, ...causeOf(failed) };
  if (missing.length > 0) return { kind: "confirm-items", items: missing };
  if (runnable.length > 0) return { kind: "trigger", items: runnable };
  if (running.length > 0) return waitForItems();
  if (pending.length > 0) return { kind: "finish", phase: phases.failed, error: notStartedError(pending) };
  return { kind: "advance", phase: phases.completing };
}

/** What happens with items that have to go; undefined when all are gone. */
function decideRemoval(
  items: readonly DeployItem[],
  jobID: string,
  failedPhase: "Failed" | "DeleteFailed",
): ExecutionDecision | undefined {
  if (items.length === 0) return undefined;
  const { running, failed, runnable, pending } = classifyForDeletion(items, jobID);
  if (failed.length > 0) {
    return running.length > 0 ? waitForItems() : { kind: "finish", phase: failedPhase, ...causeOf(failed) };
  }
  if (runnable.length > 0) return { kind: "trigger", items: runnable };
  if (running.length > 0) return waitForItems();
  return { kind: "finish", phase: failedPhase, error: notStartedError(pending) };
}

function decideDeleting({ execution, deployItems, status }: ObservedExecution): ExecutionDecision {
  const key = annotations.deleteWithoutUninstall;
  // The annotation was set after the job had started.
  if (hasAnnotation(execution, key) && deployItems.some((item) => !hasAnnotation(item, key))) {
    return { kind: "delete-items" };
  }
  const released = deployItems.filter(isReleasedAtOnce);
  if (released.length > 0) return { kind: "trigger", items: released };
  return decideRemoval(deployItems, status.jobID ?? "", phases.deleteFailed) ?? { kind: "release" };
}

/** The same for all of them: a status write for each item that ends would be too many (design.md §6). */
function waitForItems(): ExecutionDecision {
  return { kind: "wait", message: "waits for its deploy items" };
}

function causeOf(failed: readonly DeployItem[]): { readonly error?: LandscaperError } {
  const error = describeFailedItems(failed, "DeployItems");
  return error === undefined ? {} : { error };
}

function notStartedError(pending: readonly DeployItem[]): LandscaperError {
  return new LandscaperError({
    message: `items could not be started: ${pending.map(itemNameOf).join(", ")}; each depends on another that is not there or not finished`,
    reason: "ItemsNotStarted",
    operation: "DeployItems",
    retry: "never",
  });
}
