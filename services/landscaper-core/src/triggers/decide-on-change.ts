import { installationPhases as phases, type Installation, type InstallationStatus } from "@landscaper/api";
import { isDeleting } from "../object-reading.ts";

/** What an Installation with the policy on-change sees while it has no job. */
export interface ChangeObservation {
  /** How long more news are still waited for (ms); 0: no longer. */
  readonly waitMs: number;
  /** An exporter of its imports has a job, or is about to get one, or one that exports to these has. */
  readonly isUpstreamBusy: boolean;
  /** All exporters have succeeded: a job would not end at once. */
  readonly isGateOpen: boolean;
  /** Somebody has changed or deleted a sub-object since its last job. */
  readonly hasEditedSubobjects: boolean;
  /** Hash of the imported values; undefined until they have been read in this pass. */
  readonly importsHash: string | undefined;
}

export type ChangeDecision =
  /** Nothing starts; what there is to wait for wakes the Installation. */
  | { readonly kind: "none" }
  /** More news may come. */
  | { readonly kind: "listen"; readonly waitMs: number }
  /** Whether there is a change can only be told from the imported values. */
  | { readonly kind: "read" }
  | { readonly kind: "start"; readonly importsHash: string };

interface Observed {
  readonly installation: Installation;
  readonly status: InstallationStatus;
  readonly change: ChangeObservation | undefined;
}

/**
 * Whether a change starts a job (policy on-change). The spec counts by its generation, imports by the values that the last job has
 * read: so exports that are withdrawn and written again alike are no change, and Installations that feed each other come to rest.
 * A new spec also starts a job that can only fail, to say why; imports do not. Edited sub-objects count after success alone:
 * a job that failed may not have come to repair them, and would be followed by the next one for ever.
 */
export function decideOnChange({ installation, status, change }: Observed): ChangeDecision {
  if (change === undefined || isDeleting(installation)) return { kind: "none" };
  const { importsHash, waitMs, isUpstreamBusy } = change;
  if (importsHash === undefined && waitMs > 0) return { kind: "listen", waitMs };
  if (isUpstreamBusy) return { kind: "none" };
  if (importsHash === undefined) return { kind: "read" };
  const isNew = installation.metadata.generation !== status.observedGeneration;
  const isEdited = change.hasEditedSubobjects && status.phase === phases.succeeded;
  const hasOtherImports = importsHash !== status.importsHash;
  const isChanged = isNew || (change.isGateOpen && (hasOtherImports || isEdited));
  return isChanged ? { kind: "start", importsHash } : { kind: "none" };
}
