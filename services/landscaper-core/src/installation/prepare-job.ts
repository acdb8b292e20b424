import {
  conditionTypes,
  installationPhases as phases,
  type Blueprint,
  type Installation,
  type InstallationStatus,
} from "@landscaper/api";
import {
  blueprintOfInstallation,
  checkInstallation,
  loadImports,
  resolveImports,
  secretsOf,
  type BlueprintSource,
  type ImportReading,
  type ResolvedImports,
  type TemplateHost,
} from "@landscaper/blueprint";
import { toSafeError } from "../api-failure.ts";
import { nowOf, type Core } from "../core.ts";
import { addTime, clearError, movePhase, omit } from "../job-status.ts";
import { namespaceOf } from "../object-reading.ts";
import { checkSchedules } from "../triggers/check-schedules.ts";
import { loadOptions } from "../triggers/observe-changes.ts";
import { createImportReader, type ImportReader } from "./import-reader.ts";
import type { InstallationPass } from "./installation-pass.ts";
import { withDefaultContext } from "./metadata-patch.ts";
import { findExecution } from "./find-execution.ts";
import { findRenderedItems, planExecution, renderingMark, type ExecutionPlan } from "./plan-execution.ts";
import { planSubinstallations, type SubinstallationPlan } from "./plan-subinstallations.ts";
import { buildRenderContext, loadContext } from "./prepare-rendering.ts";
import { renderSubobjects, type SubobjectStates } from "./render-subobjects.ts";
import { addStepSuccess } from "./step-conditions.ts";
import { listSubinstallations } from "./siblings.ts";
import { loadTemplateStates } from "./template-states.ts";

/** What a job is going to write, and the status that says so; nothing has been written yet. */
export interface PreparedJob {
  /** With the status of the pass, and the metadata that it is going to have. */
  readonly installation: Installation;
  readonly reader: ImportReader;
  readonly reading: ImportReading;
  readonly imports: ResolvedImports;
  readonly blueprint: Blueprint;
  readonly states: { readonly before: SubobjectStates; readonly after: SubobjectStates };
  readonly subinstallations: SubinstallationPlan;
  readonly execution: ExecutionPlan;
  readonly status: InstallationStatus;
}

/** Reads and renders everything (core.md §2.3 Init b to g). Throws LandscaperErrors that may be told. */
export async function prepareJob(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<PreparedJob> {
  const installation = withDefaultContext({ ...pass.installation, status: pass.status });
  const { client, informers } = core;
  const readerOptions = { client, ...informers, namespace: namespaceOf(installation), signal };
  const reader = createImportReader(readerOptions, "users");
  checkSchedules(installation);
  checkInstallation(installation);
  await loadContext(core, installation, signal);
  const source = blueprintOfInstallation(installation, core.renderCaches);
  const reading = await loadImports(installation, reader, loadOptions(installation));
  try {
    return await render({ core, installation, source, reader, reading, signal });
  } catch (error) {
    throw toSafeError(error, [...secretsOf(reading.given), ...core.answers.secretsOf(installation)]);
  }
}

interface RenderOptions {
  readonly core: Core;
  readonly installation: Installation;
  readonly source: BlueprintSource;
  readonly reader: ImportReader;
  readonly reading: ImportReading;
  readonly signal: AbortSignal;
}

async function render(options: RenderOptions): Promise<PreparedJob> {
  const { core, installation, source, reader, reading, signal } = options;
  const { client, informers } = core;
  const stateOptions = { client, installation, blueprint: source.definition, signal };
  const [deploy, subinstallation] = await Promise.all([
    loadTemplateStates({ ...stateOptions, kind: "deploy" }),
    loadTemplateStates({ ...stateOptions, kind: "subinstallation" }),
  ]);
  const before = { deploy, subinstallation };
  const existing = findExecution(informers, installation);
  const mark = renderingMark(installation, reading.hash);
  const renderAll = (host: TemplateHost) => {
    const context = { ...buildRenderContext(core, installation, source), host };
    const imports = resolveImports({ context, given: reading.given, mappings: installation.spec.importDataMappings });
    const written = findRenderedItems(existing, mark);
    return { imports, rendered: renderSubobjects({ context, imports, states: before, rendered: written }) };
  };
  const { imports, rendered } = await core.answers.render(installation, renderAll, signal);
  const subinstallations = planSubinstallations({
    parent: installation,
    templates: rendered.templates,
    existing: listSubinstallations(informers.installations.lister, installation),
  });
  const execution = planExecution({ installation, deployItems: rendered.deployItems, mark, existing });
  return {
    installation,
    reader,
    reading,
    imports,
    blueprint: source.definition,
    states: { before, after: rendered.states },
    subinstallations,
    execution,
    status: buildStatus({
      core,
      installation,
      reading,
      subinstallations,
      execution,
      hasItems: rendered.deployItems.length > 0,
    }),
  };
}

interface StatusOptions {
  readonly core: Core;
  readonly installation: Installation;
  readonly reading: ImportReading;
  readonly subinstallations: SubinstallationPlan;
  readonly execution: ExecutionPlan;
  readonly hasItems: boolean;
}

/** What the blueprint has no more goes first (core.md §2.3 CleanupOrphaned). */
function moveOn(status: InstallationStatus, hasOrphans: boolean, now: Date): InstallationStatus {
  if (hasOrphans) return movePhase(status, phases.cleanupOrphaned, now);
  if (status.phase === phases.progressing) return status;
  return addTime(movePhase(status, phases.progressing, now), "waitTime", now);
}

function buildStatus(options: StatusOptions): InstallationStatus {
  const { core, installation, reading, subinstallations, execution, hasItems } = options;
  const { name = "", namespace = "", generation = 0 } = installation.metadata;
  const hasOrphans = subinstallations.remove.length > 0 || execution.kind === "delete";
  const status = clearError(moveOn(installation.status ?? {}, hasOrphans, nowOf(core)));
  const installationRefs = subinstallations.refs.map((ref) => ({
    name: ref.name,
    ref: { name: ref.objectName, namespace },
  }));
  const next = {
    ...omit(status, "executionRef", "installationRefs", "subInstCache", "imports", "importsHash"),
    observedGeneration: generation,
    importsHash: reading.hash,
    ...(reading.summary.length > 0 ? { imports: [...reading.summary] } : {}),
    ...(installationRefs.length > 0 ? { installationRefs } : {}),
    ...(hasItems ? { executionRef: { name, namespace } } : {}),
  };
  const steps = [
    ...(installationRefs.length > 0 ? [conditionTypes.ensureSubInstallations] : []),
    ...(hasItems ? [conditionTypes.reconcileExecution] : []),
  ];
  return addStepSuccess(next, steps, nowOf(core));
}
