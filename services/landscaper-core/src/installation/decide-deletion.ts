import { annotations, installationPhases as phases, LandscaperError } from "@landscaper/api";
import type { InstallationDecision } from "./installation-decision.ts";
import {
  isFinishedBy,
  waitingForChildren,
  type ObservedInstallation,
  type Successor,
} from "./observed-installation.ts";

type DeletionPhase = typeof phases.initDelete | typeof phases.triggerDelete | typeof phases.deleting;

/** InitDelete, TriggerDelete and Deleting of core.md §2.3. Nothing here needs the blueprint: broken Installations can be deleted. */
export function decideDeletion(observed: ObservedInstallation, phase: DeletionPhase): InstallationDecision {
  switch (phase) {
    case phases.initDelete:
      return decideInitDelete(observed);
    case phases.triggerDelete:
      return { kind: "advance", phase: phases.deleting };
    case phases.deleting:
      return decideDeleting(observed);
  }
}

function siblingImportError(successors: readonly Successor[]): LandscaperError {
  return new LandscaperError({
    message: `a sibling still imports some of the exports: ${successors.map(({ name }) => name).join(", ")}`,
    reason: "SiblingImport",
    operation: "CheckSuccessors",
    hint: `delete the siblings first, or set the annotation ${annotations.deleteIgnoreSuccessors}: "true" on this Installation`,
  });
}

function decideInitDelete({ successors, children }: ObservedInstallation): InstallationDecision {
  const failed = successors.filter(({ hasFailedDeletion }) => hasFailedDeletion);
  if (failed.length > 0) return { kind: "finish", phase: phases.deleteFailed, error: siblingImportError(failed) };
  if (successors.length > 0) {
    return { kind: "wait", message: "waits for siblings to be deleted", error: siblingImportError(successors) };
  }
  if (children.some(({ needsDeletion }) => needsDeletion)) return { kind: "delete-children" };
  return { kind: "advance", phase: phases.triggerDelete };
}

function decideDeleting({ children, status }: ObservedInstallation): InstallationDecision {
  if (children.length === 0) return { kind: "release" };
  // The annotation was set after the job had started.
  if (children.some(({ needsDeletion }) => needsDeletion)) return { kind: "delete-children" };
  const untriggered = children.filter(({ jobID }) => jobID !== status.jobID);
  if (untriggered.length > 0) return { kind: "hand-over", children: untriggered };
  if (children.every((child) => isFinishedBy(child, status.jobID)))
    return { kind: "finish", phase: phases.deleteFailed };
  return { kind: "wait", message: waitingForChildren };
}
