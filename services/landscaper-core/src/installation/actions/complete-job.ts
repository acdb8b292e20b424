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
import {
  blueprintOfInstallation,
  loadImports,
  renderExports,
  resolveImports,
  secretsOf,
  type ImportReading,
  type RenderExportsOptions,
  type TemplateHost,
} from "@landscaper/blueprint";
import { toSafeError } from "../../api-failure.ts";
import { nowOf, type Core } from "../../core.ts";
import { deleteObject } from "../../ensure-object.ts";
import { labelOf, nameOf, namespaceOf } from "../../object-reading.ts";
import { loadOptions } from "../../triggers/observe-changes.ts";
import { collectScopeBindings, toItemExports } from "../collect-bindings.ts";
import { buildExportObjects, checkExportOwner } from "../export-objects.ts";
import { createImportReader, listScope, type ImportReader } from "../import-reader.ts";
import { withStatus, type InstallationPass } from "../installation-pass.ts";
import { findExecution } from "../find-execution.ts";
import { checkPredecessors } from "../predecessors.ts";
import { buildRenderContext } from "../prepare-rendering.ts";
import { addStepSuccess } from "../step-conditions.ts";
import { createSiblings } from "../siblings.ts";
import { loadTemplateStates, storeTemplateStates } from "../template-states.ts";
import { writeScope } from "../write-scope.ts";

interface Job {
  readonly core: Core;
  readonly installation: Installation;
  readonly jobID: string;
  readonly signal: AbortSignal;
}

/** The work of phase Completing (core.md §2.3): nothing may have changed since Init; then the exports are written. */
export async function completeJob(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<InstallationPass> {
  const installation: Installation = { ...pass.installation, status: pass.status };
  const job: Job = { core, installation, jobID: pass.status.jobID ?? "", signal };
  checkGeneration(installation);
  const reading = await readUnchanged(job);
  await dropStaleObjects(job);
  try {
    await writeExports(job, reading);
  } catch (error) {
    throw toSafeError(error, [...secretsOf(reading.given), ...core.answers.secretsOf(installation)]);
  }
  const { exports } = installation.spec;
  const hasExports = (exports?.data ?? []).length + (exports?.targets ?? []).length > 0;
  if (!hasExports) return pass;
  return withStatus(pass, addStepSuccess(pass.status, [conditionTypes.createExports], nowOf(core)));
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

/** One of the original, whose job was running when this core took over, says nothing to us: it is shorter than ours. */
function isForeignHash(hash: string | undefined, own: string): boolean {
  return hash !== undefined && hash.length !== own.length;
}

/** Loads the imports again; a difference is confirmed live before it fails the job. */
async function readUnchanged({ core, installation, signal }: Job): Promise<ImportReading> {
  const gate = checkPredecessors(installation, createSiblings(core.informers.installations.lister));
  if (gate.state === "blocked") throw gate.error;
  if (gate.state === "waiting") {
    throw changed(
      `predecessors were started again while the job was running: ${gate.unfinished.join(", ")}`,
      "CheckImportsHash",
    );
  }
  const { client, informers } = core;
  const options = { client, ...informers, namespace: namespaceOf(installation), signal };
  const reader: ImportReader = createImportReader(options, "absent");
  const reading = await loadImports(installation, reader, loadOptions(installation));
  const importsHash = installation.status?.importsHash;
  if (reading.hash === importsHash || isForeignHash(importsHash, reading.hash)) return reading;
  const confirmed = await loadImports(installation, reader.with("all"), loadOptions(installation));
  if (confirmed.hash === importsHash) return confirmed;
  throw changed("the imports were changed while the job was running", "CheckImportsHash");
}

/** Objects in the own scope that an earlier job has left, if any there bears a job at all (core.md §4.26). */
function listStale<T extends KubeObject>(objects: readonly T[], jobID: string): readonly T[] {
  const jobs = objects.map((object) => labelOf(object, labels.dataJobId) ?? "");
  if (jobs.every((job) => job === "")) return [];
  return objects.filter((_, index) => jobs[index] !== jobID);
}

async function dropStaleObjects({ core, installation, jobID, signal }: Job): Promise<void> {
  const { client, informers } = core;
  const scope = scopeOfInstallation(nameOf(installation));
  const namespace = namespaceOf(installation);
  const dataObjects = listStale(listScope(informers.dataObjects, namespace, scope), jobID);
  const targets = listStale(listScope(informers.targets, namespace, scope), jobID);
  await Promise.all([
    ...dataObjects.map((object) => deleteObject(client, { type: resources.dataObject, object }, signal)),
    ...targets.map((object) => deleteObject(client, { type: resources.target, object }, signal)),
  ]);
}

/** Exports of the deploy items, which the Execution has collected; confirmed live when the cache does not have them. */
async function loadItemExports({ core, installation, signal }: Job): Promise<Readonly<Record<string, unknown>>> {
  const execution = findExecution(core.informers, installation);
  if (execution?.status?.exportRef === undefined) return {};
  const name = generateDataName(scopeOfExecution(nameOf(execution)), "");
  const key = { namespace: namespaceOf(installation), name };
  const cached = core.informers.dataObjects.lister.get(key);
  const object = cached ?? (await core.client.find(resources.dataObject, key, { signal }));
  return toItemExports(object?.data);
}

async function collectBindings(job: Job): Promise<RenderExportsOptions["bindings"]> {
  const { core, installation, jobID } = job;
  const { informers } = core;
  const scope = scopeOfInstallation(nameOf(installation));
  const namespace = namespaceOf(installation);
  const ofThisJob = <T extends DataObject | Target>(objects: readonly T[]): readonly T[] => {
    const stale = new Set<T>(listStale(objects, jobID));
    return objects.filter((object) => !stale.has(object));
  };
  return {
    deployItems: await loadItemExports(job),
    ...collectScopeBindings(
      ofThisJob(listScope(informers.dataObjects, namespace, scope)),
      ofThisJob(listScope(informers.targets, namespace, scope)),
    ),
  };
}

async function writeExports(job: Job, reading: ImportReading): Promise<void> {
  const { core, installation, jobID, signal } = job;
  const { exports, importDataMappings, exportDataMappings } = installation.spec;
  const source = blueprintOfInstallation(installation, core.renderCaches);
  const blueprint = source.definition;
  const stateOptions = { client: core.client, installation, blueprint, kind: "export" as const, signal };
  const state = await loadTemplateStates(stateOptions);
  const bindings = await collectBindings(job);
  const wanted = {
    data: (exports?.data ?? []).map(({ name }) => name),
    targets: (exports?.targets ?? []).map(({ name }) => name),
  };
  const renderAll = (host: TemplateHost) => {
    const context = { ...buildRenderContext(core, installation, source), host };
    const imports = resolveImports({ context, given: reading.given, mappings: importDataMappings });
    return render({ context, imports, bindings, state, wanted, mappings: exportDataMappings });
  };
  const rendered = await core.answers.render(installation, renderAll, signal);
  await storeTemplateStates(stateOptions, state, rendered.state);
  const objects = buildExportObjects(installation, jobID, rendered);
  await writeScope(core, { objects, check: checkExportOwner }, signal);
}

/** The values of deploy items and of the scope are as secret as imports. */
function render(options: RenderExportsOptions): ReturnType<typeof renderExports> {
  try {
    return renderExports(options);
  } catch (error) {
    const { deployItems, dataObjects, targets } = options.bindings;
    const accessData = Object.values(targets).map(({ spec }) => spec.config);
    throw toSafeError(error, [deployItems, dataObjects, accessData]);
  }
}
