import { installationPhases as phases, LandscaperError } from "@landscaper/api";
import { loadImports, secretsOf } from "@landscaper/blueprint";
import { classifyFailure, toSafeError } from "../../api-failure.ts";
import { nowOf, type Core } from "../../core.ts";
import { addTime } from "../../job-status.ts";
import { loadOptions } from "../../triggers/observe-changes.ts";
import { applyExecution, applySubinstallations } from "../apply-subobjects.ts";
import { buildImportCopies } from "../import-copies.ts";
import { withStatus, type InstallationPass } from "../installation-pass.ts";
import { waitingForChildren } from "../observed-installation.ts";
import { checkPredecessors } from "../predecessors.ts";
import { prepareJob, type PreparedJob } from "../prepare-job.ts";
import { createSiblings } from "../siblings.ts";
import { storeTemplateStates } from "../template-states.ts";
import { writeScope } from "../write-scope.ts";
import { settleJob } from "./settle-job.ts";
import { withdrawExports } from "./withdraw-exports.ts";

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
  const settled = await settleJob(core, withStatus(pass, prepared.status), { signal, waiting: waitingForChildren });
  try {
    await withdrawExports(core, settled, signal);
    await applyJob(core, { ...prepared, installation: settled.installation }, signal);
  } catch (error) {
    const { reading, installation } = prepared;
    throw toSafeError(error, [...secretsOf(reading.given), ...core.answers.secretsOf(installation)]);
  }
  return { ...settled, isApplied: true };
}

/** A predecessor that has been started again in the meantime has taken its exports away: that is to be waited for, no failure. */
function isGateClosed(core: Core, { installation, status }: InstallationPass): boolean {
  const siblings = createSiblings(core.informers.installations.lister);
  return status.phase === phases.init && checkPredecessors({ ...installation, status }, siblings).state === "waiting";
}

async function prepare(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<PreparedJob | "gate closed"> {
  // Waiting for predecessors does not count: initTime is not before their end (core.md §5.8).
  const hasBegun = pass.status.transitionTimes?.initTime !== undefined;
  const timed = hasBegun ? pass : withStatus(pass, addTime(pass.status, "initTime", nowOf(core)));
  try {
    return await prepareJob(core, timed, signal);
  } catch (error) {
    if (isGateClosed(core, timed)) return "gate closed";
    // Also a job that fails begins without the exports of the last one (core.md §4.1).
    if (classifyFailure(error) === "fatal")
      await withdrawExports(core, await settleJob(core, timed, { signal }), signal);
    throw error;
  }
}

async function applyJob(core: Core, prepared: PreparedJob, signal: AbortSignal): Promise<void> {
  const { installation, imports, blueprint, states } = prepared;
  const jobID = installation.status?.jobID ?? "";
  const { client } = core;
  const stateOptions = { client, installation, blueprint, signal };
  const { before, after } = states;
  await Promise.all([
    storeTemplateStates({ ...stateOptions, kind: "deploy" }, before.deploy, after.deploy),
    storeTemplateStates({ ...stateOptions, kind: "subinstallation" }, before.subinstallation, after.subinstallation),
  ]);
  try {
    await writeScope(core, { objects: buildImportCopies(installation, jobID, imports.values) }, signal);
  } catch (error) {
    throw copyError(toSafeError(error, secretsOf(prepared.reading.given)));
  }
  await applySubinstallations(core, prepared.subinstallations, signal);
  await applyExecution(core, prepared.execution, signal);
  await checkUnchanged(core, prepared);
}

/** What the API server refuses to take as copy of an import, by the name of this step. */
function copyError(error: unknown): unknown {
  if (!(error instanceof LandscaperError) || error.retry !== "never") return error;
  return new LandscaperError({
    message: `copies of the imports: ${error.message}`,
    reason: "CreateOrUpdateImports",
    operation: "CreateImportsAndSubobjects",
    codes: error.codes,
    hint: error.hint,
    retry: "never",
  });
}

/** Reads the imports and predecessors again: what was rendered from has to be what is there (core.md §2.3 Init k). */
async function checkUnchanged(core: Core, { installation, reader, reading }: PreparedJob): Promise<void> {
  const gate = checkPredecessors(installation, createSiblings(core.informers.installations.lister));
  if (gate.state === "blocked") throw gate.error;
  const after =
    gate.state === "open"
      ? await loadImports(installation, reader.with("absent"), loadOptions(installation))
      : undefined;
  if (after?.hash === reading.hash) return;
  throw new LandscaperError({
    message: "the imports changed while they were being loaded",
    reason: after === undefined ? "comparePredecessorMaps" : "compareImportHashes",
    operation: "handlePhaseInit",
    codes: ["ERR_FOR_INFO_ONLY"],
  });
}
