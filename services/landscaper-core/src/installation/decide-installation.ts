import {
  annotations,
  finalizer,
  installationPhases as phases,
  isDeletionPhase,
  isJobAtWork,
  isJobOpen,
  operations,
  reconcileReasonRetry,
  type Installation,
} from "@landscaper/api";
import { annotationOf, hasAnnotation, hasFinalizer, isDeleting, isReleasing } from "../object-reading.ts";
import { decideAutomaticReconcile } from "../triggers/decide-automatic-reconcile.ts";
import { decideOnChange } from "../triggers/decide-on-change.ts";
import { decideDeletion } from "./decide-deletion.ts";
import type { InstallationDecision } from "./installation-decision.ts";
import { lacksMetadata } from "./metadata-patch.ts";
import { hasStarted, isFinishedBy, waitingForChildren, type ObservedInstallation } from "./observed-installation.ts";

/**
 * The next step of an Installation: the entry of core.md §2.2, then the phases of §2.3. A job that starts here is known to nobody
 * until the first action stores it: see settleJob.
 */
export function decideInstallation(observed: ObservedInstallation, now: Date): InstallationDecision {
  const { installation, status, isRoot } = observed;
  const operation = annotationOf(installation, annotations.operation);
  const dependents = status.dependentsToTrigger ?? [];
  if (dependents.length > 0) return { kind: "trigger-dependents", names: dependents.flatMap(({ name }) => name ?? []) };
  if (operation === operations.interrupt) return { kind: "interrupt" };
  const isTriggered = operation === operations.reconcile;
  if (isTriggered && !isRoot) return { kind: "write-metadata", removesOperation: true };
  if (!isJobOpen(status)) return isTriggered ? triggeredJob(observed) : decideWithoutJob(observed, now);
  if (isReleasing(installation) && !isDeletionPhase(status.phase)) return { kind: "rest" };
  if (!isJobAtWork(status.phase)) return isReleasing(installation) ? { kind: "rest" } : enter(observed);
  return decidePhase(observed);
}

/** Somebody has asked for a job. Only a retry, which automaticReconcile of another core has asked for, goes on counting (core.md §2.2 no. 5). */
function triggeredJob({ installation, status }: ObservedInstallation): InstallationDecision {
  if (isDeleting(installation) && !isReadyForDeletion(installation)) return { kind: "rest" };
  const isRetry = annotationOf(installation, annotations.reconcileReason) === reconcileReasonRetry;
  return { kind: "start-job", automatic: isRetry ? status.automaticReconcileStatus : undefined };
}

function decideWithoutJob(observed: ObservedInstallation, now: Date): InstallationDecision {
  const { installation, status, isRoot, isReadyCurrent, isAccessBack, lateRing } = observed;
  if (isDeleting(installation)) {
    if (!isReadyForDeletion(installation)) return { kind: "rest" };
    const isDue = !isDeletionPhase(status.phase) || isAccessBack;
    if (isRoot && isDue) return { kind: "start-job", automatic: undefined };
    return decideAutomatic(observed, now);
  }
  if (isRoot && isChangedAndAutomatic(observed)) return { kind: "start-job", automatic: undefined };
  if (lacksMetadata(installation)) return { kind: "write-metadata", removesOperation: false };
  if (lateRing !== undefined) return { kind: "correct-error", error: lateRing };
  const change = decideOnChange(observed);
  switch (change.kind) {
    case "listen":
      return change;
    case "read":
      return { kind: "read-imports" };
    case "start":
      return { kind: "start-job", automatic: undefined, importsHash: change.importsHash };
    case "none":
      return isReadyCurrent ? decideAutomatic(observed, now) : { kind: "refresh-conditions" };
  }
}

/** With `--cascade=orphan`, the job starts after Kubernetes has released the children, and deletes only the remaining ones. */
function isReadyForDeletion(installation: Installation): boolean {
  return hasFinalizer(installation, finalizer) && !isReleasing(installation);
}

function decideAutomatic(observed: ObservedInstallation, now: Date): InstallationDecision {
  const decision = decideAutomaticReconcile(observed, now);
  switch (decision.kind) {
    case "off":
      return { kind: "rest" };
    case "wait":
      return { kind: "rest", untilMs: decision.untilMs };
    case "record":
      return { kind: "record-automatic", automatic: decision.automatic };
    case "start":
      return { kind: "start-job", automatic: decision.automatic };
    case "warn":
      return decision;
  }
}

/** reconcile-if-changed (core.md §2.2 no. 4): also for what never ran (§4.40). */
function isChangedAndAutomatic({ installation, status }: ObservedInstallation): boolean {
  return (
    hasAnnotation(installation, annotations.reconcileIfChanged) &&
    installation.metadata.generation !== status.observedGeneration
  );
}

function enter({ installation }: ObservedInstallation): InstallationDecision {
  return { kind: "enter", phase: isDeleting(installation) ? phases.initDelete : phases.init };
}

function decidePhase(observed: ObservedInstallation): InstallationDecision {
  const { phase = "" } = observed.status;
  switch (phase) {
    case phases.init:
      return decideInit(observed);
    case phases.cleanupOrphaned:
      return decideOrphans(observed) ?? { kind: "advance", phase: phases.objectsCreated };
    case phases.objectsCreated:
      return { kind: "advance", phase: phases.progressing };
    case phases.progressing:
      return decideProgress(observed);
    case phases.completing:
      return { kind: "complete" };
    case phases.initDelete:
    case phases.triggerDelete:
    case phases.deleting:
      return decideDeletion(observed, phase);
    default:
      // A phase that no version of the protocol knows: begin again.
      return enter(observed);
  }
}

function decideInit(observed: ObservedInstallation): InstallationDecision {
  const { gate, droppedExportCount, children } = observed;
  // An open gate makes it part of the work, and a job that fails withdraws everything.
  if (droppedExportCount > 0 && gate.state === "waiting") return { kind: "withdraw-exports" };
  switch (gate.state) {
    case "blocked":
      return { kind: "finish", phase: phases.failed, error: gate.error };
    case "waiting":
      return { kind: "wait", message: `waits for predecessors: ${gate.unfinished.join(", ")}` };
    case "open": {
      // An Execution that somebody deleted has to be gone before there can be a new one.
      const executions = children.filter(({ kind }) => kind === "Execution");
      return decideOrphans({ ...observed, children: executions }) ?? { kind: "initialise" };
    }
  }
}

/** What the blueprint has no more is deleted before anything new starts; undefined when none is left. */
function decideOrphans({ children, status }: ObservedInstallation): InstallationDecision | undefined {
  const orphans = children.filter(({ isDeleting }) => isDeleting);
  if (orphans.length === 0) return undefined;
  const untriggered = orphans.filter(({ jobID }) => jobID !== status.jobID);
  if (untriggered.length > 0) return { kind: "hand-over", children: untriggered };
  if (orphans.every((orphan) => isFinishedBy(orphan, status.jobID))) return { kind: "finish", phase: phases.failed };
  return { kind: "wait", message: "waits for the deletion of what the blueprint has no more" };
}

/**
 * Progressing is stored before the sub-objects are made. They are complete if one of them has the job, because it is handed out only
 * then; otherwise the work of Init is done again, which writes nothing that is there already.
 */
function decideProgress(observed: ObservedInstallation): InstallationDecision {
  const { children, missingChildren, status, isApplied } = observed;
  const present = children.filter(({ isDeleting }) => !isDeleting);
  if (!isApplied && !hasStarted(present, status.jobID)) return { kind: "initialise" };
  const untriggered = children.filter(({ jobID }) => jobID !== status.jobID);
  if (untriggered.length > 0) return { kind: "hand-over", children: untriggered };
  // The message is the same for all of them: a status write for each child that ends would be too many (design.md §6).
  if (children.some((child) => !isFinishedBy(child, status.jobID)))
    return { kind: "wait", message: waitingForChildren };
  if (missingChildren.length > 0) return { kind: "confirm-children", children: missingChildren };
  if (children.some(({ phase }) => phase !== phases.succeeded)) return { kind: "finish", phase: phases.failed };
  return { kind: "advance", phase: phases.completing };
}
