import {
  conditionTypes,
  fieldValidationOf,
  installationPhases as phases,
  type Installation,
  type InstallationStatus,
  type Warning,
} from "@landscaper/api";
import { checkInstallation } from "@landscaper/blueprint";
import { unpack } from "@landscaper/threads";
import { nowOf, type Core } from "../../core.ts";
import { addCondition, addTime, addWarnings, clearError, movePhase, omit } from "../../job-status.ts";
import { namespaceOf } from "../../object-reading.ts";
import { readImportObjects } from "../../rendering/import-objects.ts";
import { buildJobInput, renderForJob } from "../../rendering/render-for-job.ts";
import type { InitResult, JobInput } from "../../rendering/render-task.ts";
import { loadOptions } from "../../triggers/observe-changes.ts";
import { checkSchedules } from "../../triggers/check-schedules.ts";
import { checkEmptying } from "./check-emptying.ts";
import { checkVerification } from "./check-verification.ts";
import { findExecution } from "../find-execution.ts";
import { createImportReader, type ImportReader } from "../imports/import-reader.ts";
import type { InstallationPass } from "../installation-pass.ts";
import { loadContext } from "./load-context.ts";
import { withDefaultContext } from "../metadata-patch.ts";
import {
  planSubinstallations,
  type PlannedTemplate,
  type SubinstallationPlan,
} from "../subobjects/plan-subinstallations.ts";
import { checkPredecessors } from "../imports/predecessors.ts";
import { createSiblings, listSubinstallations } from "../imports/siblings.ts";
import { addStepSuccess } from "../step-conditions.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

/** What a job is going to write, and the status that says so; nothing has been written yet. */
export interface PreparedJob {
  /** With the status of the pass, and the metadata that it is going to have. */
  readonly installation: Installation;
  readonly reader: ImportReader;
  readonly job: JobInput;
  readonly rendered: InitResult;
  readonly subinstallations: SubinstallationPlan;
  readonly status: InstallationStatus;
}

/** A predecessor was at work when the imports were read: what is missing or wrong among them is to be waited for. */
export class GateClosed extends Error {
  override readonly name = "GateClosed";
}

/** Reads and renders everything (core.md §2.3 Init b to g). Throws LandscaperErrors that may be told. */
export async function prepareJob(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<PreparedJob> {
  const installation = withDefaultContext({ ...pass.installation, status: pass.status });
  const { client, informers } = core;
  const readerOptions = { client, ...informers, namespace: namespaceOf(installation), signal };
  const reader = createImportReader(readerOptions, "users");
  checkSchedules(installation);
  checkInstallation(installation);
  checkVerification(installation, core.signaturePolicy);
  const context = await loadContext(core, installation, signal);
  const imports = await readImportObjects(installation, reader, loadOptions(installation));
  const job = buildJobInput(core, installation, imports);
  const existing = findExecution(informers, installation);
  const { fieldValidation, warnings } = fieldValidationOf(installation.metadata, core.fieldValidation);
  const task = { type: "init" as const, job, execution: existing, fieldValidation };
  // A thread may take its time: until it has found an import missing, a predecessor may have ended that withheld it.
  const gate = checkPredecessors(installation, createSiblings(informers.installations.lister));
  const rendered = await renderForJob(core, { part: "init", job, task }, signal).catch((error: unknown) => {
    throw pass.status.phase === phases.init && gate.state === "waiting" ? new GateClosed() : error;
  });
  const subinstallations = await planSubinstallations({
    parent: installation,
    templates: unpackTemplates(rendered),
    existing: listSubinstallations(informers.installations.lister, installation),
  });
  checkEmptying(core, installation, { execution: rendered.execution, subinstallations });
  const passedOver = core.components.warningsOf(installation).map(toWarning);
  const settings = [...warnOfSettings(core, installation, context), ...passedOver];
  const allWarnings = [...warnings, ...rendered.warnings, ...settings];
  const status = buildStatus({ core, installation, rendered, subinstallations, warnings: allWarnings });
  return { installation, reader, job, rendered, subinstallations, status };
}

function* unpackTemplates({ templates }: InitResult): Generator<PlannedTemplate> {
  // The thread has packed and checked them.
  for (const packed of templates) yield unpack(packed) as PlannedTemplate;
}

function toWarning(message: string): Warning {
  return { reason: "WithoutEffect", message };
}

interface StatusOptions {
  readonly core: Core;
  readonly installation: Installation;
  readonly rendered: InitResult;
  readonly subinstallations: SubinstallationPlan;
  readonly warnings: readonly Warning[];
}

/** What the blueprint has no more goes first (core.md §2.3 CleanupOrphaned). */
function moveOn(status: InstallationStatus, hasOrphans: boolean, now: Date): InstallationStatus {
  if (hasOrphans) return movePhase(status, phases.cleanupOrphaned, now);
  if (status.phase === phases.progressing) return status;
  return addTime(movePhase(status, phases.progressing, now), "waitTime", now);
}

function buildStatus(options: StatusOptions): InstallationStatus {
  const { core, installation, rendered, subinstallations, warnings } = options;
  const { execution, hasItems, hash, summary } = rendered;
  const { name = "", namespace = "", generation = 0 } = installation.metadata;
  const hasOrphans = subinstallations.remove.length > 0 || execution.kind === "delete";
  const moved = moveOn(installation.status ?? {}, hasOrphans, nowOf(core));
  // What could not be written before may fail again: an error that went and came would wake the job at once, each time.
  const status = moved.phase === installation.status?.phase ? moved : clearError(moved);
  const installationRefs = subinstallations.refs.map((ref) => ({
    name: ref.name,
    ref: { name: ref.objectName, namespace },
  }));
  const next = {
    ...omit(status, "executionRef", "installationRefs", "subInstCache", "imports", "importsHash"),
    observedGeneration: generation,
    importsHash: hash,
    ...(summary.length > 0 ? { imports: [...summary] } : {}),
    ...(installationRefs.length > 0 ? { installationRefs } : {}),
    ...(hasItems ? { executionRef: { name, namespace } } : {}),
  };
  const steps = [
    ...(installationRefs.length > 0 ? [conditionTypes.ensureSubInstallations] : []),
    ...(hasItems ? [conditionTypes.reconcileExecution] : []),
  ];
  const done = addOverwrite(addStepSuccess(next, steps, nowOf(core)), rendered.overwritten, nowOf(core));
  return addWarnings(done, warnings, nowOf(core));
}

/** Says what overwrites of the Context have made of the component reference; nothing of an earlier job stays. */
function addOverwrite(status: InstallationStatus, message: string | undefined, now: Date): InstallationStatus {
  const type = conditionTypes.componentReferenceOverwrite;
  if (message !== undefined)
    return addCondition(status, { type, status: "True", reason: "FoundOverwrite", message }, now);
  const { conditions = [] } = status;
  const others = conditions.filter((condition) => condition.type !== type);
  return others.length === conditions.length ? status : { ...status, conditions: others };
}
