import { annotations, keyOf, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { deleteObject } from "../../ensure-object.ts";
import { hasAnnotation, isDeleting } from "../../object-reading.ts";
import type { InstallationPass } from "../installation-pass.ts";
import { findExecution } from "../find-execution.ts";
import { listSubinstallations } from "../imports/siblings.ts";

interface Deletion<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly object: T;
  readonly withoutUninstall: boolean;
}

async function deleteChild<T extends KubeObject>(
  core: Core,
  { type, object, withoutUninstall }: Deletion<T>,
  signal: AbortSignal,
): Promise<void> {
  if (withoutUninstall && !hasAnnotation(object, annotations.deleteWithoutUninstall)) {
    const body = { metadata: { annotations: { [annotations.deleteWithoutUninstall]: "true" } } };
    await core.client.patch(type, keyOf(object), { type: "merge", body, signal });
  }
  if (!isDeleting(object)) await deleteObject(core.client, { type, object }, signal);
}

/** Marks the Execution and all subinstallations for deletion; they go when they get the job (core.md §2.3 InitDelete). */
export async function deleteChildren(
  core: Core,
  pass: InstallationPass,
  signal: AbortSignal,
): Promise<InstallationPass> {
  const { installation } = pass;
  const withoutUninstall = hasAnnotation(installation, annotations.deleteWithoutUninstall);
  const execution = findExecution(core.informers, installation);
  const subinstallations = listSubinstallations(core.informers.installations.lister, installation);
  await Promise.all([
    ...(execution === undefined
      ? []
      : [deleteChild(core, { type: resources.execution, object: execution, withoutUninstall }, signal)]),
    ...subinstallations.map((object) =>
      deleteChild(core, { type: resources.installation, object, withoutUninstall }, signal),
    ),
  ]);
  return pass;
}
