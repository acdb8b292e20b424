import {
  conditionTypes,
  installationPhases as phases,
  LandscaperError,
  type Installation,
  type InstallationStatus,
} from "@landscaper/api";
import { resolveImports, type BlueprintSource, type ResolvedImports } from "@landscaper/blueprint";
import { toSafeError } from "../../api-failure.ts";
import { nowOf, type Core } from "../../core.ts";
import { clearError, movePhase, omit } from "../../job-status.ts";
import { namespaceOf } from "../../object-reading.ts";
import { applyExecution, applySubinstallations } from "../apply-subobjects.ts";
import { buildImportCopies } from "../import-copies.ts";
import { createImportReader, type ImportReader } from "../import-reader.ts";
import { withStatus, type InstallationPass } from "../installation-pass.ts";
import { loadImports, secretsOf, type ImportReading } from "../load-imports.ts";
import { findExecution } from "../observe-installation.ts";
import { findRenderedItems, planExecution, renderingMark } from "../plan-execution.ts";
import { planSubinstallations, type SubinstallationPlan } from "../plan-subinstallations.ts";
import { checkPredecessors } from "../predecessors.ts";
import { buildRenderContext, loadContext, readBlueprint } from "../prepare-rendering.ts";
import { renderSubobjects, type RenderedSubobjects } from "../render-subobjects.ts";
import { addStepSuccess } from "../step-conditions.ts";
import { createSiblings, listSubinstallations } from "../siblings.ts";
import { loadTemplateStates, storeTemplateStates } from "../template-states.ts";
import { writeScope } from "../write-scope.ts";

interface Job {
  readonly core: Core;
  /** With the status of the running pass. */
  readonly installation: Installation;
  readonly jobID: string;
  readonly signal: AbortSignal;
  readonly reader: ImportReader;
}

/** The work of phase Init (core.md §2.3): everything is read and rendered before the first sub-object is written. */
export async function initialiseJob(
  core: Core,
  pass: InstallationPass,
  signal: AbortSignal,
): Promise<InstallationPass> {
  const installation: Installation = { ...pass.installation, status: pass.status };
  const { client, informers } = core;
  const readerOptions = { client, ...informers, namespace: namespaceOf(installation), signal };
  const reader = createImportReader(readerOptions, "users");
  const job: Job = { core, installation, jobID: pass.status.jobID ?? "", signal, reader };
  await loadContext(core, installation, signal);
  const source = readBlueprint(installation);
  const reading = await loadImports(installation, reader);
  try {
    return withStatus(pass, await createSubobjects(job, source, reading));
  } catch (error) {
    throw toSafeError(error, secretsOf(reading.given));
  }
}

async function createSubobjects(
  job: Job,
  source: BlueprintSource,
  reading: ImportReading,
): Promise<InstallationStatus> {
  const { core, installation, jobID, signal } = job;
  const context = buildRenderContext(core, installation, source);
  const mappings = installation.spec.importDataMappings;
  const imports = resolveImports({ context, given: reading.given, ...(mappings === undefined ? {} : { mappings }) });
  const stateOptions = { client: core.client, installation, prefix: "deploy" as const, signal };
  const states = await loadTemplateStates(stateOptions, source.definition);
  const existing = findExecution(core.informers, installation);
  const mark = renderingMark(installation, reading.hash);
  const rendered = renderSubobjects({ context, imports, states, rendered: findRenderedItems(existing, mark) });
  const subinstallations = planSubinstallations({
    parent: installation,
    templates: rendered.templates,
    existing: listSubinstallations(core.informers.installations.lister, installation),
  });
  const execution = planExecution({ installation, deployItems: rendered.deployItems, mark, existing });
  await storeTemplateStates(stateOptions, states, rendered.states);
  await writeScope(core, { objects: buildImportCopies(installation, jobID, imports.values) }, signal);
  await applySubinstallations(core, subinstallations, signal);
  await applyExecution(core, execution, signal);
  await checkUnchanged(job, reading);
  return buildStatus({ job, reading, subinstallations, rendered, imports });
}

/** Reads the imports and predecessors again: what was rendered from has to be what is there (core.md §2.3 Init k). */
async function checkUnchanged({ core, installation, reader }: Job, before: ImportReading): Promise<void> {
  const gate = checkPredecessors(installation, createSiblings(core.informers.installations.lister));
  if (gate.state === "blocked") throw gate.error;
  const after = gate.state === "open" ? await loadImports(installation, reader.with("absent")) : undefined;
  if (after?.hash === before.hash) return;
  throw new LandscaperError({
    message: "the imports changed while they were being loaded",
    reason: after === undefined ? "comparePredecessorMaps" : "compareImportHashes",
    operation: "handlePhaseInit",
    codes: ["ERR_FOR_INFO_ONLY"],
  });
}

interface Initialised {
  readonly job: Job;
  readonly reading: ImportReading;
  readonly subinstallations: SubinstallationPlan;
  readonly rendered: RenderedSubobjects;
  readonly imports: ResolvedImports;
}

function buildStatus({ job, reading, subinstallations, rendered }: Initialised): InstallationStatus {
  const { core, installation } = job;
  const { name = "", namespace = "" } = installation.metadata;
  const status = clearError(movePhase(installation.status ?? {}, phases.cleanupOrphaned, nowOf(core)));
  const installationRefs = subinstallations.refs.map((ref) => ({
    name: ref.name,
    ref: { name: ref.objectName, namespace },
  }));
  const hasExecution = rendered.deployItems.length > 0;
  const next = {
    ...omit(status, "executionRef", "installationRefs", "imports", "importsHash"),
    importsHash: reading.hash,
    ...(reading.summary.length > 0 ? { imports: [...reading.summary] } : {}),
    ...(installationRefs.length > 0 ? { installationRefs } : {}),
    ...(hasExecution ? { executionRef: { name, namespace } } : {}),
  };
  const steps = [
    ...(installationRefs.length > 0 ? [conditionTypes.ensureSubInstallations] : []),
    ...(hasExecution ? [conditionTypes.reconcileExecution] : []),
  ];
  return addStepSuccess(next, steps, nowOf(core));
}
