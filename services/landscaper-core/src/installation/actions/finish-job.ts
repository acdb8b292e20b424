import {
  installationPhases as phases,
  isHeldBack,
  type Installation,
  type InstallationStatus,
  type LandscaperError,
} from "@landscaper/api";
import { listSuccessors } from "@landscaper/blueprint";
import { nowOf, type Core } from "../../core.ts";
import { addCondition, finishJob, omit } from "../../job-status.ts";
import { nameOf, namespaceOf, parentOf } from "../../object-reading.ts";
import { describeFailedChildren } from "../../root-cause.ts";
import type { InstallationDecision } from "../installation-decision.ts";
import { storeStatus, withStatus, type InstallationPass } from "../installation-pass.ts";
import { isSettled, settleJob } from "./settle-job.ts";
import { withdrawExports } from "./withdraw-exports.ts";
import { jobTree } from "../job-tree.ts";
import { conditionOfFailure } from "../step-conditions.ts";
import { createSiblings } from "../imports/siblings.ts";

type FinishDecision = Omit<Extract<InstallationDecision, { kind: "finish" }>, "kind">;

function explain(core: Core, pass: InstallationPass, { phase, error }: FinishDecision): LandscaperError | undefined {
  if (error !== undefined || phase === phases.succeeded) return error;
  const as =
    phase === phases.deleteFailed
      ? { operation: "handlePhaseDeleting", reason: "InstallationNotDeleted", hint: hintOfDeletion(pass.installation) }
      : { operation: "handlePhaseProgressing", reason: "JobIDFinished" };
  return describeFailedChildren(pass.installation, jobTree(core.informers), as);
}

/** For roots: a subinstallation is deleted with its root. */
function hintOfDeletion(installation: Installation): string | undefined {
  if (parentOf(installation) !== undefined) return undefined;
  const command = `landscaper delete ${nameOf(installation)} -n ${namespaceOf(installation)} --without-uninstall`;
  return `if the target is lost, delete the Installation and leave its objects on the target: ${command}`;
}

/**
 * Roots that import what this one has exported start a job after it; only after success (core.md §1.5 D17, §4.4 fixed). Nested
 * dependents run in the same job and are woken by their watch.
 */
function listDependents(core: Core, { installation }: InstallationPass): InstallationStatus["dependentsToTrigger"] {
  if (parentOf(installation) !== undefined) return undefined;
  const siblings = createSiblings(core.informers.installations.lister);
  const names = listSuccessors(installation, siblings).map((successor) => ({ name: nameOf(successor) }));
  return names.length > 0 ? names : undefined;
}

/**
 * Ends the job: final phase, jobIDFinished, lastError and the dependents to trigger in one guarded write (design.md §3.3). A job that
 * fails withdraws its exports before, unless it was held back: nothing is touched then.
 */
export async function finishInstallation(
  core: Core,
  { pass, decision }: { readonly pass: InstallationPass; readonly decision: FinishDecision },
  signal: AbortSignal,
): Promise<InstallationPass> {
  // The trigger of a job that nobody knows yet has to go before the job can be finished: it would start another one.
  const settled = isSettled(core, pass) ? pass : await settleJob(core, pass, { signal });
  if (decision.phase === phases.failed && !isHeldBack(decision.error)) await withdrawExports(core, settled, signal);
  const { status: running } = settled;
  const error = explain(core, settled, decision);
  const step = error === undefined ? undefined : conditionOfFailure(running.phase, error);
  const explained = step === undefined ? running : addCondition(running, step, nowOf(core));
  const finished = finishJob(explained, { phase: decision.phase, error }, nowOf(core));
  const dependents = decision.phase === phases.succeeded ? listDependents(core, settled) : undefined;
  const status =
    dependents === undefined ? omit(finished, "dependentsToTrigger") : { ...finished, dependentsToTrigger: dependents };
  const stored = await storeStatus(core, withStatus(settled, status), { signal });
  core.components.forget(stored.installation);
  return stored;
}
