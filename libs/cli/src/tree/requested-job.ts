import { annotations, operations, parentOf, type Installation } from "@landscaper/api";

/** Whether a job of the Installation was requested and has not started. The core starts none for a subinstallation: it only removes the annotation. */
export function isTriggered(installation: Installation): boolean {
  const isRoot = parentOf(installation) === undefined;
  return isRoot && installation.metadata.annotations?.[annotations.operation] === operations.reconcile;
}

/** Whether the spec differs from the one that the last job has read. True before the first job. */
export function isSpecChanged({ metadata, status }: Installation): boolean {
  return metadata.generation !== status?.observedGeneration;
}
