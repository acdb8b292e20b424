import {
  installationPhases as phases,
  isDeletionPhase,
  isJobAtWork,
  isJobOpen,
  keyOf,
  type Installation,
} from "@landscaper/api";
import type { Reconcile } from "@landscaper/controller-runtime";
import { classifyFailure, isWorthTelling, toSafeError, toTold } from "../api-failure.ts";
import { nowOf, type Core } from "../core.ts";
import { setError } from "../job-status.ts";
import { finishInstallation } from "./actions/finish-job.ts";
import { settleJob } from "./actions/settle-job.ts";
import { isOnChange } from "../triggers/observe-changes.ts";
import { decideInstallation } from "./decide-installation.ts";
import { startPass, withStatus, type InstallationPass } from "./installation-pass.ts";
import { observeInstallation } from "./observe-installation.ts";
import { performDecision, type Alarm, type StepOutcome } from "./perform-decision.ts";

/** More steps than any pass needs; a pass that takes more goes round in circles. */
const maxSteps = 32;

/** Reconciles Installations: observe, decide, perform, until the pass blocks or ends (style.md §3.4). */
export function createInstallationReconciler(core: Core): Reconcile {
  return async (key, signal, slot) => {
    const installation = core.informers.installations.lister.get(key);
    if (installation === undefined) {
      core.news.forget(key);
      core.lostAccess.forget("Installation", key);
      return undefined;
    }
    // Rendering may wait for the jobs of other namespaces: that holds no worker.
    if (!slot.takeShare({ namespace: key.namespace ?? "" })) return undefined;
    if (isOnChange(installation)) core.news.noteFirst(key, core.clock.elapsed());
    const alarm = await runPass(core, installation, signal);
    return alarm && { requeueAfterMs: Math.max(1, alarm.afterMs) };
  };
}

async function runPass(core: Core, installation: Installation, signal: AbortSignal): Promise<Alarm | undefined> {
  const key = keyOf(installation);
  // What comes later is not covered by what this pass reads.
  const news = core.news.get(key);
  let pass = startPass(installation);
  for (let step = 0; step < maxSteps; step += 1) {
    const hasLooked = pass.importsHash !== undefined;
    const outcome = await takeStep(core, pass, signal);
    const isOver = outcome === "end" || "afterMs" in outcome;
    // A job that begins looks at everything. Who waits for these news sees the job from now on instead.
    const hasJob = !isOver && outcome.installation.status?.jobID !== installation.status?.jobID;
    if (hasJob || (isOver && hasLooked)) core.news.clear(key, news);
    if (isOver) return outcome === "end" ? undefined : outcome;
    pass = outcome;
  }
  throw new Error(`installation pass took more than ${maxSteps} steps in phase ${pass.status.phase ?? "(none)"}`);
}

async function takeStep(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<StepOutcome> {
  const decision = decideInstallation(observeInstallation(core, pass), nowOf(core));
  try {
    return await performDecision(core, { pass, decision }, signal);
  } catch (error) {
    signal.throwIfAborted();
    return takeFailure(core, { pass, error: toSafeError(error), isTold: isWorthTelling(error) }, signal);
  }
}

/** A fatal error ends the running job; any other shows in the status, if it is the job's own, and is tried again. */
async function takeFailure(
  core: Core,
  { pass, error, isTold }: { readonly pass: InstallationPass; readonly error: unknown; readonly isTold: boolean },
  signal: AbortSignal,
): Promise<StepOutcome> {
  const current = refresh(core, pass);
  const { phase } = current.status;
  const isWorking = isJobOpen(current.status) && isJobAtWork(phase);
  const told = toTold(error);
  if (!isWorking || told === undefined) throw error;
  if (classifyFailure(told) === "fatal") {
    const failedPhase = isDeletionPhase(phase) ? phases.deleteFailed : phases.failed;
    return finishInstallation(core, { pass: current, decision: { phase: failedPhase, error: told } }, signal);
  }
  if (isTold) await settleJob(core, withStatus(current, setError(current.status, told, nowOf(core))), { signal });
  throw error;
}

/** The pass as far as the failed action has stored it. */
function refresh(core: Core, pass: InstallationPass): InstallationPass {
  const latest = core.informers.installations.lister.get(keyOf(pass.installation));
  return latest !== undefined && latest.status?.jobID === pass.status.jobID ? startPass(latest) : pass;
}
