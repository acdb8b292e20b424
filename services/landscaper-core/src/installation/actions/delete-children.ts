import { annotations, resources } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { deleteOwned } from "../../delete-owned.ts";
import { hasAnnotation } from "../../object-reading.ts";
import type { InstallationPass } from "../installation-pass.ts";
import { findExecution } from "../find-execution.ts";
import { listSubinstallations } from "../imports/siblings.ts";

/**
 * Marks the Execution and all subinstallations for deletion; they are deleted when they get the job (core.md §2.3 InitDelete). Runs again in phase Deleting if
 * `delete-without-uninstall` was set after the job had started.
 */
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
      : [deleteOwned(core.client, { type: resources.execution, object: execution, withoutUninstall }, signal)]),
    ...subinstallations.map((object) =>
      deleteOwned(core.client, { type: resources.installation, object, withoutUninstall }, signal),
    ),
  ]);
  return pass;
}
