import { installationPhases as phases, LandscaperError } from "@landscaper/api";
import { importMissing } from "@landscaper/blueprint";
import { classifyFailure, toSafeError } from "../../api-failure.ts";
import { nowOf, type Core } from "../../core.ts";
import { addTime, movePhase } from "../../job-status.ts";
import { applyExecution, applySubinstallations } from "../subobjects/apply-subobjects.ts";
import { withStatus, type InstallationPass } from "../installation-pass.ts";
import { waitingForChildren } from "../observed-installation.ts";
import { checkPredecessors, type PredecessorGate } from "../imports/predecessors.ts";
import { GateClosed, prepareJob, type PreparedJob } from "../preparation/prepare-job.ts";
import { createSiblings } from "../imports/siblings.ts";
import { storeTemplateStates } from "../subobjects/store-template-states.ts";
import { hasSubinstallations } from "../subobjects/plan-subinstallations.ts";
import { writeScope } from "../write-scope.ts";
import { hashImportObjects } from "../../rendering/hash-imports.ts";
import { readImportObjects } from "../../rendering/import-objects.ts";
import { toMaskedError } from "../../rendering/render-for-job.ts";
import { unpackScope } from "../../rendering/unpack-scope.ts";
import { settleJob } from "./settle-job.ts";
import { withdrawDroppedExports } from "./withdraw-exports.ts";

/**
 * The work of phase Init (core.md §2.3): everything is read and rendered, then one status write tells of the job and all that it is
 * going to have, and only then the sub-objects are written. A crash between leaves Progressing without any child that has the job:
 * the work is done again.
 */
export async function initialiseJob(
  core: Core,
  pass: InstallationPass,
  signal: AbortSignal,
): Promise<InstallationPass> {
  const prepared = await prepare(core, pass, signal);
  if (prepared === "gate closed") return pass;
  const next = toPrepared(core, pass, prepared);
  const waiting = next.status.lastError === undefined ? waitingForChildren : undefined;
  const settled = await settleJob(core, next, { signal, waiting });
  try {
    await withdrawDroppedExports(core, settled, signal);
    await applyJob(core, { ...prepared, installation: settled.installation }, signal);
  } catch (error) {
    throw await toMaskedError(core, { error, job: prepared.job }, signal);
  }
  return { ...settled, isApplied: true };
}

/** Without orphans, one write goes from Init over ObjectsCreated to Progressing. */
function toPrepared(core: Core, pass: InstallationPass, { status }: PreparedJob): InstallationPass {
  const isPassedThrough = pass.status.phase === phases.init && status.phase === phases.progressing;
  const from = isPassedThrough ? withStatus(pass, movePhase(pass.status, phases.objectsCreated, nowOf(core))) : pass;
  return withStatus(from, status);
}

/** The gate at the end of a failed Init. The job waits for a predecessor that was started again in the meantime, and does not fail. */
function gateOf(core: Core, { installation, status }: InstallationPass): PredecessorGate {
  if (status.phase !== phases.init) return { state: "open" };
  return checkPredecessors({ ...installation, status }, createSiblings(core.informers.installations.lister));
}

async function prepare(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<PreparedJob | "gate closed"> {
  // Waiting for predecessors does not count: initTime is not before their end (core.md §5.8).
  const hasBegun = pass.status.transitionTimes?.initTime !== undefined;
  const timed = hasBegun ? pass : withStatus(pass, addTime(pass.status, "initTime", nowOf(core)));
  try {
    return await prepareJob(core, timed, signal);
  } catch (error) {
    const gate = gateOf(core, timed);
    if (error instanceof GateClosed || gate.state === "waiting") return "gate closed";
    if (classifyFailure(error) !== "fatal") throw error;
    await settleJob(core, timed, { signal });
    throw gate.state === "blocked" && isImportMissing(error) ? gate.error : error;
  }
}

function isImportMissing(error: unknown): boolean {
  return error instanceof LandscaperError && error.reason === importMissing;
}

async function applyJob(core: Core, prepared: PreparedJob, signal: AbortSignal): Promise<void> {
  const { installation, rendered, subinstallations } = prepared;
  await storeTemplateStates({ client: core.client, installation, signal }, rendered.states);
  try {
    const selectedBy = hasSubinstallations(subinstallations) ? "job" : "name";
    await writeScope(core, { objects: await unpackScope(rendered.copies), selectedBy }, signal);
  } catch (error) {
    throw copyError(toSafeError(error));
  }
  await applySubinstallations(core, subinstallations, signal);
  await applyExecution(core, { plan: rendered.execution, installation }, signal);
  await checkUnchanged(core, prepared, signal);
}

/** What the API server refuses to take as copy of an import, by the name of this step. */
function copyError(error: unknown): unknown {
  if (!(error instanceof LandscaperError) || error.retry !== "never") return error;
  return error.with({
    message: `copies of the imports: ${error.message}`,
    reason: "CreateOrUpdateImports",
    operation: "CreateImportsAndSubobjects",
  });
}

/** Reads the imports and predecessors again: what was rendered from has to be what is there (core.md §2.3 Init k). */
async function checkUnchanged(core: Core, prepared: PreparedJob, signal: AbortSignal): Promise<void> {
  const { installation, reader, job, rendered } = prepared;
  const gate = checkPredecessors(installation, createSiblings(core.informers.installations.lister));
  if (gate.state === "blocked") throw gate.error;
  if (gate.state === "open") {
    const imports = await readImportObjects(installation, reader.with("absent"), job.options);
    // The same versions of the same objects have the same hash.
    if (imports.stamp === job.imports.stamp) return;
    if ((await hashImportObjects(core, { installation, imports, options: job.options }, signal)) === rendered.hash)
      return;
  }
  throw new LandscaperError({
    message: "the imports changed while they were being loaded",
    reason: gate.state === "open" ? "compareImportHashes" : "comparePredecessorMaps",
    operation: "handlePhaseInit",
    codes: ["ERR_FOR_INFO_ONLY"],
  });
}
