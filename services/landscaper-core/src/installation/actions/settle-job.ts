import type { Core } from "../../core.ts";
import { storeStatus, type InstallationPass } from "../installation-pass.ts";
import { isTriggered, lacksMetadata } from "../metadata-patch.ts";
import { listChildren } from "../observe-installation.ts";
import { hasStarted } from "../observed-installation.ts";
import { writeMetadata } from "./write-metadata.ts";

/**
 * Whether the reconcile annotation belongs to the running job: as long as no child has been given the job, it has not done
 * anything that another one would have to do again. So a crash between the status write and the removal starts no second job.
 */
function ownsTrigger(core: Core, { installation, status }: InstallationPass): boolean {
  return isTriggered(installation) && !hasStarted(listChildren(core.informers, installation), status.jobID);
}

/** Whether the API server knows the job of the pass, and its trigger is gone. */
export function isSettled(core: Core, pass: InstallationPass): boolean {
  return pass.installation.status?.jobID === pass.status.jobID && !ownsTrigger(core, pass);
}

/**
 * Makes the job of the pass known, before anything else is written: the status with the jobID first, then, in one metadata write, the
 * annotation that triggered it goes and finalizer and context come (core.md §2.1, design.md §6).
 */
export async function settleJob(
  core: Core,
  pass: InstallationPass,
  options: { readonly signal: AbortSignal; readonly waiting?: string | undefined },
): Promise<InstallationPass> {
  const stored = await storeStatus(core, pass, options);
  const removesOperation = ownsTrigger(core, stored);
  if (!removesOperation && !lacksMetadata(stored.installation)) return stored;
  return writeMetadata(core, { pass: stored, removesOperation }, options.signal);
}
