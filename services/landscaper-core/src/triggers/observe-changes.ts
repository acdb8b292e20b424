import {
  annotations,
  isJobOpen,
  operations,
  reconcilePolicyOnChange,
  type Execution,
  type Installation,
} from "@landscaper/api";
import type { LoadOptions } from "@landscaper/blueprint";
import type { Core } from "../core.ts";
import { findExecution } from "../installation/find-execution.ts";
import type { InstallationPass } from "../installation/installation-pass.ts";
import { checkPredecessors } from "../installation/imports/predecessors.ts";
import { createSiblings, listSubinstallations } from "../installation/imports/siblings.ts";
import { annotationOf, isDeleting, parentOf } from "../object-reading.ts";
import type { ChangeObservation } from "./decide-on-change.ts";
import { dueTime, isUpstreamBusy } from "./upstream.ts";

/** Whether changes start jobs of this Installation; of roots alone. */
export function isOnChange(installation: Installation): boolean {
  return (
    annotationOf(installation, annotations.reconcilePolicy) === reconcilePolicyOnChange &&
    parentOf(installation) === undefined
  );
}

/** How imports are read: what is behind Targets is read for those alone that changes concern. */
export function loadOptions(installation: Installation): LoadOptions {
  return { readsTargetSecrets: isOnChange(installation) };
}

/** Whether nothing else is going to happen to an Installation than that a change starts a job. */
export function listensToChanges(installation: Installation): boolean {
  return (
    isOnChange(installation) &&
    !isDeleting(installation) &&
    !isJobOpen(installation.status) &&
    annotationOf(installation, annotations.operation) !== operations.reconcile
  );
}

/**
 * Whether somebody has changed or deleted a sub-object since its last job, which has noted the generation that it worked on.
 * Executions of the original bear no generation: nothing is known of them until their next job.
 */
export function isEdited({ metadata, status }: Execution | Installation): boolean {
  const { observedGeneration = 0 } = status ?? {};
  if (isJobOpen(status) || observedGeneration === 0) return false;
  return metadata.deletionTimestamp !== undefined || observedGeneration !== metadata.generation;
}

/** Sub-objects of any depth; DeployItems are not looked at, because not every deployer notes the generation. */
function hasEditedSubobjects(informers: Core["informers"], installation: Installation): boolean {
  const { executionRef, installationRefs = [] } = installation.status ?? {};
  const execution = findExecution(informers, installation);
  if (execution === undefined ? executionRef !== undefined : isEdited(execution)) return true;
  const children = listSubinstallations(informers.installations.lister, installation);
  const names = new Set(children.map(({ metadata }) => metadata.name));
  if (installationRefs.some(({ ref }) => !names.has(ref?.name))) return true;
  return children.some((child) => isEdited(child) || hasEditedSubobjects(informers, child));
}

/** Undefined unless the Installation listens to changes and there are news, or were until they were looked at in this pass. */
export function observeChanges(
  { informers, news, clock }: Pick<Core, "informers" | "news" | "clock">,
  { installation, status, importsHash }: InstallationPass,
): ChangeObservation | undefined {
  if (!listensToChanges({ ...installation, status })) return undefined;
  const siblings = createSiblings(informers.installations.lister);
  const dueMs = dueTime(installation, { news, siblings });
  if (dueMs === undefined && importsHash === undefined) return undefined;
  return {
    waitMs: dueMs === undefined ? 0 : Math.max(0, dueMs - clock.elapsed()),
    isUpstreamBusy: isUpstreamBusy(installation, siblings),
    isGateOpen: checkPredecessors({ ...installation, status }, siblings).state === "open",
    hasEditedSubobjects: hasEditedSubobjects(informers, installation),
    importsHash,
  };
}
