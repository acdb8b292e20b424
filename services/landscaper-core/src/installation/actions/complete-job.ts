import {
  conditionTypes,
  generateDataName,
  labels,
  LandscaperError,
  resources,
  scopeOfExecution,
  scopeOfInstallation,
  type DataObject,
  type Installation,
  type KubeObject,
  type Target,
} from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { deleteObject } from "../../ensure-object.ts";
import { addWarning } from "../../job-status.ts";
import { labelOf, nameOf, namespaceOf, parentOf } from "../../object-reading.ts";
import { Packer, readImportObjects } from "../../rendering/import-objects.ts";
import { buildJobInput, renderForJob, toMaskedError } from "../../rendering/render-for-job.ts";
import type { CompleteResult, JobInput, ScopeInput } from "../../rendering/render-task.ts";
import { unpackScope } from "../../rendering/unpack-scope.ts";
import { loadOptions } from "../../triggers/observe-changes.ts";
import { checkExportOwner } from "../export-objects.ts";
import type { CopyNames } from "../imports/import-copies.ts";
import { createImportReader, listScope, type ImportReader } from "../imports/import-reader.ts";
import { withStatus, type InstallationPass } from "../installation-pass.ts";
import { findExecution } from "../find-execution.ts";
import { selectOfJob } from "../objects-of-job.ts";
import { checkPredecessors } from "../imports/predecessors.ts";
import { addStepSuccess } from "../step-conditions.ts";
import { createSiblings, listSubinstallations } from "../imports/siblings.ts";
import { storeTemplateStates } from "../subobjects/store-template-states.ts";
import { writeScope } from "../write-scope.ts";

interface Job {
  readonly core: Core;
  readonly installation: Installation;
  readonly jobID: string;
  readonly signal: AbortSignal;
  /** Without subinstallations, copies of imports keep the label of the job that wrote them (ADR 29). */
  readonly isSelectedByName: boolean;
}

/** Exports that are rendered of imports that have not changed since Init. */
interface RenderedJob {
  readonly input: JobInput;
  readonly rendered: Extract<CompleteResult, { isChanged: false }>;
}

/** The work of phase Completing (core.md §2.3): nothing may have changed since Init; then the exports are written. */
export async function completeJob(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<InstallationPass> {
  const installation: Installation = { ...pass.installation, status: pass.status };
  const isSelectedByName = !hasSubinstallations(core, installation);
  const job: Job = { core, installation, jobID: pass.status.jobID ?? "", signal, isSelectedByName };
  checkGeneration(installation);
  checkPredecessorsUnchanged(job);
  const { input, rendered } = await renderUnchanged(job);
  try {
    await storeTemplateStates({ client: core.client, installation, signal }, rendered.states);
    const selectedBy = parentOf(installation) === undefined ? "name" : "job";
    const objects = await unpackScope(rendered.exports);
    await writeScope(core, { objects, check: checkExportOwner, selectedBy }, signal);
  } catch (error) {
    throw await toMaskedError(core, { error, job: input }, signal);
  }
  const now = nowOf(core);
  const status = rendered.warnings.reduce((next, warning) => addWarning(next, warning, now), pass.status);
  const { exports } = installation.spec;
  const hasExports = (exports?.data ?? []).length + (exports?.targets ?? []).length > 0;
  return withStatus(pass, hasExports ? addStepSuccess(status, [conditionTypes.createExports], now) : status);
}

function changed(message: string, reason: string): LandscaperError {
  return new LandscaperError({
    message,
    reason,
    operation: "handlePhaseCompleting",
    codes: ["ERR_FOR_INFO_ONLY"],
    hint: "trigger the installation again",
    retry: "never",
  });
}

function checkGeneration({ metadata, status }: Installation): void {
  if (metadata.generation === status?.observedGeneration) return;
  throw changed("the spec was changed while the job was running", "CheckObservedGeneration");
}

function checkPredecessorsUnchanged({ core, installation }: Job): void {
  const gate = checkPredecessors(installation, createSiblings(core.informers.installations.lister));
  if (gate.state === "blocked") throw gate.error;
  if (gate.state === "open") return;
  throw changed(
    `predecessors were started again while the job was running: ${gate.unfinished.join(", ")}`,
    "CheckImportsHash",
  );
}

/** Loads the imports again and renders the exports; a difference is confirmed live before it fails the job. */
async function renderUnchanged(job: Job): Promise<RenderedJob> {
  const { core, installation, signal } = job;
  const { client, informers } = core;
  const reader = createImportReader({ client, ...informers, namespace: namespaceOf(installation), signal }, "absent");
  const scope = await packScope(job);
  try {
    const found = (await tryRender(job, scope, reader)) ?? (await tryRender(job, scope, reader.with("all")));
    if (found !== undefined) {
      await dropStaleObjects(job, found.rendered.copies);
      return found;
    }
  } catch (error) {
    await dropStaleObjects(job, undefined);
    throw error;
  }
  throw changed("the imports were changed while the job was running", "CheckImportsHash");
}

/** Undefined when the imports are not those of Init. */
async function tryRender(job: Job, scope: ScopeInput, reader: ImportReader): Promise<RenderedJob | undefined> {
  const { core, installation, signal } = job;
  const imports = await readImportObjects(installation, reader, loadOptions(installation));
  const input = buildJobInput(core, installation, imports);
  const task = { type: "complete" as const, job: input, scope };
  const rendered = await renderForJob(core, { part: "complete", job: input, task }, signal);
  return rendered.isChanged ? undefined : { input, rendered };
}

/** Everything in the own scope. */
interface Scope {
  readonly dataObjects: readonly DataObject[];
  readonly targets: readonly Target[];
}

function listOwnScope({ core, installation }: Job): Scope {
  const { dataObjects, targets } = core.informers;
  const scope = scopeOfInstallation(nameOf(installation));
  const namespace = namespaceOf(installation);
  return { dataObjects: listScope(dataObjects, namespace, scope), targets: listScope(targets, namespace, scope) };
}

function hasSubinstallations(core: Core, installation: Installation): boolean {
  const isPlanned = (installation.status?.installationRefs ?? []).length > 0;
  return isPlanned || listSubinstallations(core.informers.installations.lister, installation).length > 0;
}

/** `names`: of this job's copies; unknown when rendering has failed: the next job that succeeds cleans up then. */
async function dropStaleObjects(job: Job, names: CopyNames | undefined): Promise<void> {
  const { client } = job.core;
  const { signal } = job;
  if (job.isSelectedByName && names === undefined) return;
  const listStale = <T extends KubeObject>(objects: readonly T[], own: readonly string[] = []): readonly T[] => {
    const isOfJob = job.isSelectedByName ? (object: T): boolean => own.includes(nameOf(object)) : bearsIdOf(job);
    const current = new Set(selectOfJob(objects, isOfJob));
    return objects.filter((object) => !current.has(object));
  };
  const scope = listOwnScope(job);
  const dataObjects = listStale(scope.dataObjects, names?.dataObjects);
  const targets = listStale(scope.targets, names?.targets);
  await Promise.all([
    ...dataObjects.map((object) => deleteObject(client, { type: resources.dataObject, object }, signal)),
    ...targets.map((object) => deleteObject(client, { type: resources.target, object }, signal)),
  ]);
}

function bearsIdOf({ jobID }: Job): (object: KubeObject) => boolean {
  return (object) => labelOf(object, labels.dataJobId) === jobID;
}

/** Exports of the deploy items, which the Execution has collected; confirmed live when the cache does not have them. */
async function findItemExports({ core, installation, signal }: Job): Promise<DataObject | undefined> {
  const execution = findExecution(core.informers, installation);
  if (execution?.status?.exportRef === undefined) return undefined;
  const name = generateDataName(scopeOfExecution(nameOf(execution)), "");
  const key = { namespace: namespaceOf(installation), name };
  return core.informers.dataObjects.lister.get(key) ?? (await core.client.find(resources.dataObject, key, { signal }));
}

/** What export executions see beside the imports: everything in the own scope that belongs to this job. */
async function packScope(job: Job): Promise<ScopeInput> {
  const { isSelectedByName } = job;
  // By name it is selected where it is rendered, which tells what the copies are called.
  const ofThisJob = <T extends KubeObject>(objects: readonly T[]): readonly T[] =>
    isSelectedByName ? objects : selectOfJob(objects, bearsIdOf(job));
  const packer = new Packer();
  const itemExports = await findItemExports(job);
  const { dataObjects, targets } = listOwnScope(job);
  return {
    isSelectedByName,
    itemExports: itemExports === undefined ? undefined : await packer.pack(itemExports),
    dataObjects: await packer.packAll(ofThisJob(dataObjects)),
    targets: await packer.packAll(ofThisJob(targets)),
  };
}
