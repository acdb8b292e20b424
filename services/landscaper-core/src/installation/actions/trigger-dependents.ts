import {
  annotations,
  installationPhases as phases,
  isJobOpen,
  keyOf,
  operations,
  resources,
  type Installation,
} from "@landscaper/api";
import type { Core } from "../../core.ts";
import { omit } from "../../job-status.ts";
import { isDeleting, namespaceOf, parentOf } from "../../object-reading.ts";
import { storeStatus, withStatus, type InstallationPass } from "../installation-pass.ts";
import { isOnChange } from "../../triggers/observe-changes.ts";
import { isTriggered } from "../metadata-patch.ts";

/**
 * Whether a dependent has still to be triggered. Not if it is about to start, or if its running job has not loaded its imports yet,
 * or if a job of it began after ours did: then it has waited for our end.
 */
export function needsTrigger(dependent: Installation, finished: Installation): boolean {
  if (isDeleting(dependent) || parentOf(dependent) !== undefined || isTriggered(dependent)) return false;
  const { phase = "", transitionTimes } = dependent.status ?? {};
  // Whether the new exports are a change it finds out itself; after a failure it is worth another try in any case.
  if (isOnChange(dependent) && phase !== phases.failed) return false;
  const isBeforeImports = phase === "" || phase === "Init" || phase === "Succeeded" || phase === "Failed";
  if (isJobOpen(dependent.status) && isBeforeImports) return false;
  const began = finished.status?.transitionTimes?.triggerTime ?? "";
  return (transitionTimes?.triggerTime ?? "") <= began;
}

/**
 * Sets the reconcile annotation on the root Installations that import what this one has exported (core.md §1.1 no. 7). Guarded: right
 * after a hand-over, what the former leader wrote last may not be here yet, and one end triggers one job.
 */
export async function triggerDependents(
  core: Core,
  { pass, names }: { readonly pass: InstallationPass; readonly names: readonly string[] },
  signal: AbortSignal,
): Promise<InstallationPass> {
  const namespace = namespaceOf(pass.installation);
  const { lister } = core.informers.installations;
  const dependents = names.map((name) => lister.get({ namespace, name })).filter((one) => one !== undefined);
  await Promise.all(
    dependents
      .filter((dependent) => needsTrigger(dependent, pass.installation))
      .map(async (dependent) => {
        const { resourceVersion } = dependent.metadata;
        const body = { metadata: { resourceVersion, annotations: { [annotations.operation]: operations.reconcile } } };
        await core.client.patch(resources.installation, keyOf(dependent), { type: "merge", body, signal });
      }),
  );
  return storeStatus(core, withStatus(pass, omit(pass.status, "dependentsToTrigger")), { signal });
}
