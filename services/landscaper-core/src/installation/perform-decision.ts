import { finalizer, installationPhases as phases, keyOf, resources } from "@landscaper/api";
import { nowOf, type Core } from "../core.ts";
import { addTime, addWarning, clearError, enterJob, movePhase, omit, setError } from "../job-status.ts";
import { removeFinalizer } from "../finalizers.ts";
import { beginJob, withAutomatic } from "./actions/begin-job.ts";
import { completeJob } from "./actions/complete-job.ts";
import { confirmChildren } from "./actions/confirm-children.ts";
import { deleteChildren } from "./actions/delete-children.ts";
import { finishInstallation } from "./actions/finish-job.ts";
import { handOverJob } from "./actions/hand-over-job.ts";
import { initialiseJob } from "./actions/initialise-job.ts";
import { interrupt } from "./actions/interrupt.ts";
import { readImportsHash } from "./actions/read-imports-hash.ts";
import { settleJob } from "./actions/settle-job.ts";
import { triggerDependents } from "./actions/trigger-dependents.ts";
import { withdrawDroppedExports } from "./actions/withdraw-exports.ts";
import { writeMetadata } from "./actions/write-metadata.ts";
import { dropImportFailures } from "./step-conditions.ts";
import { describeRetry } from "../root-cause.ts";
import { jobTree } from "./job-tree.ts";
import { waitingForChildren } from "./observed-installation.ts";
import type { InstallationDecision } from "./installation-decision.ts";
import { storeStatus, withStatus, type InstallationPass } from "./installation-pass.ts";

/** The pass ends; the next one comes after so long (ms), if nothing wakes it before. */
export interface Alarm {
  readonly afterMs: number;
}

/** The pass after one step; "end" when there is nothing left to do now. */
export type StepOutcome = InstallationPass | Alarm | "end";

/** Carries one decision out. What only changes the status of the pass is not written here; see storeStatus. */
export async function performDecision(
  core: Core,
  { pass, decision }: { readonly pass: InstallationPass; readonly decision: InstallationDecision },
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { kind } = decision;
  switch (kind) {
    case "rest":
      return decision.untilMs === undefined ? "end" : { afterMs: decision.untilMs - core.clock.now() };
    case "listen":
      core.news.postpone(keyOf(pass.installation), core.clock.elapsed() + decision.waitMs);
      return { afterMs: decision.waitMs };
    case "read-imports":
      return { ...pass, importsHash: await readImportsHash(core, pass, signal) };
    case "refresh-conditions":
      await storeStatus(core, pass, { signal });
      return "end";
    case "correct-error":
      return storeStatus(core, withStatus(pass, setError(pass.status, decision.error, nowOf(core))), { signal });
    case "write-metadata":
      return writeMetadata(core, { pass, removesOperation: decision.removesOperation }, signal);
    case "start-job":
      return beginJob(core, { pass, decision }, signal);
    case "record-automatic":
      return storeStatus(core, withStatus(pass, withAutomatic(pass.status, decision.automatic)), { signal });
    case "warn":
      return storeStatus(core, withStatus(pass, addWarning(pass.status, decision.warning, nowOf(core))), { signal });
    case "enter":
      return enter(core, pass, decision.phase);
    case "advance":
      return advance(core, pass, decision.phase);
    case "interrupt":
      return interrupt(core, pass, signal);
    case "trigger-dependents":
      return triggerDependents(core, { pass, names: decision.names }, signal);
    case "withdraw-exports":
      return withdrawDroppedExports(core, await settleJob(core, pass, { signal }), signal);
    case "initialise":
      return initialiseJob(core, pass, signal);
    case "hand-over":
      return handOverJob(core, { pass, children: decision.children }, signal);
    case "confirm-children":
      return confirmChildren(core, { pass, children: decision.children }, signal);
    case "wait":
      return wait(core, { pass, decision }, signal);
    case "complete":
      return finishInstallation(
        core,
        { pass: await completeJob(core, pass, signal), decision: { phase: phases.succeeded } },
        signal,
      );
    case "delete-children":
      return deleteChildren(core, pass, signal);
    case "finish":
      return finishInstallation(core, { pass, decision }, signal);
    case "release":
      await removeFinalizer(
        core.client,
        { type: resources.installation, object: pass.installation, finalizer },
        signal,
      );
      core.announcer.released(pass.installation);
      return "end";
  }
}

function enter(core: Core, pass: InstallationPass, phase: "Init" | "InitDelete"): InstallationPass {
  const { generation } = pass.installation.metadata;
  const entered = enterJob(pass.status, { phase, generation }, nowOf(core));
  if (phase === phases.init) return withStatus(pass, dropImportFailures(entered));
  // The original's cache; a job that installs reads it once (planSubinstallations).
  const timed = omit(addTime(entered, "initTime", nowOf(core)), "subInstCache");
  return withStatus(pass, dropImportFailures(timed));
}

function advance(core: Core, pass: InstallationPass, phase: string): InstallationPass {
  const moved = clearError(movePhase(pass.status, phase, nowOf(core)));
  const startsWaiting = phase === phases.progressing || phase === phases.deleting;
  return withStatus(pass, startsWaiting ? addTime(moved, "waitTime", nowOf(core)) : moved);
}

async function wait(
  core: Core,
  {
    pass,
    decision,
  }: { readonly pass: InstallationPass; readonly decision: Extract<InstallationDecision, { kind: "wait" }> },
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { error, message } = decision;
  const status = error === undefined ? clearError(pass.status) : setError(pass.status, error, nowOf(core));
  const retry = message === waitingForChildren ? describeRetry(pass.installation, jobTree(core.informers)) : undefined;
  const waiting = retry === undefined ? message : `${message}; ${retry}`;
  await settleJob(core, withStatus(pass, status), { signal, waiting });
  return "end";
}
