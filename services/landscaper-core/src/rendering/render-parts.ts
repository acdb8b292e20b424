import {
  judgeWarnings,
  labels,
  LandscaperError,
  redactLeaves,
  type DataObject,
  type Installation,
  type InstallationTemplate,
  type KubeObject,
  sensitivePathsOf,
  type Target,
  type Warning,
} from "@landscaper/api";
import {
  blueprintOfInstallation,
  loadImports,
  readComponents,
  secretsOf,
  sensitiveExportData,
  sourceOfTemplate,
  traceExports,
  traceImports,
  warnOfInstallation,
  type BlueprintSource,
  type ImportReading,
  type RenderCaches,
  type RenderContext,
  type TraceExportsOptions,
} from "@landscaper/blueprint";
import { parsePins, SupplyReader, type Closure } from "@landscaper/components";
import type { FoundResource } from "@landscaper/ocm";
import { pack, unpack, type Packed } from "@landscaper/threads";
import {
  collectScopeBindings,
  collectSensitivePaths,
  toItemExports,
} from "../installation/preparation/collect-bindings.ts";
import { buildExportObjects } from "../installation/export-objects.ts";
import {
  buildImportCopies,
  nameImportCopies,
  type CopyNames,
  type ScopeObjects,
} from "../installation/imports/import-copies.ts";
import { selectOfJob } from "../installation/objects-of-job.ts";
import type { PlannedTemplate } from "../installation/subobjects/plan-subinstallations.ts";
import { findRenderedItems, planExecution, renderingMark } from "../installation/subobjects/plan-execution.ts";
import { renderJob } from "../installation/subobjects/render-job.ts";
import {
  changedStates,
  loadTemplateStates,
  type FindStateTexts,
  type StatefulKind,
} from "../installation/subobjects/template-states.ts";
import { labelOf, nameOf } from "../object-reading.ts";
import { lookupOf } from "./import-objects.ts";
import { maskFailure } from "./mask-failure.ts";
import { renderAnswered, type AnswerCall } from "./render-answered.ts";
import { buildRenderContext } from "./render-context.ts";
import { checkLevels, checkSize } from "./render-failure.ts";
import { noteBlueprint, pinJob, pinSubinstallation } from "./pin-job.ts";
import { describeSelection, verifiedComponents } from "./verified-components.ts";
import type { CompleteResult, InitResult, JobInput, PackedScope, RenderTask, ScopeInput } from "./render-task.ts";

/** What rendering has from its thread. */
export interface RenderSurroundings {
  readonly caches: RenderCaches;
  readonly onStep: (step: string) => void;
  readonly findStates: FindStateTexts;
  readonly askCluster: AnswerCall;
}

/** One rendering of a job, with what belongs to it alone. */
interface Rendering {
  readonly job: JobInput;
  readonly source: BlueprintSource;
  /** sha256 of its archive; undefined for an inline one. */
  readonly blueprintDigest: string | undefined;
  readonly closure: Closure | undefined;
  /** Whether everything of the closure was verified, with this Installation or its root. */
  readonly isVerified: boolean;
  readonly reading: ImportReading;
  readonly answers: Map<string, unknown>;
  /** Private keys that templates have made. */
  readonly keys: Record<string, string>;
  readonly surroundings: RenderSurroundings;
}

async function startRendering(job: JobInput, surroundings: RenderSurroundings): Promise<Rendering> {
  const { installation, imports, options, answers, components } = job;
  const { caches, onStep } = surroundings;
  const component = describeSelection(components.selection);
  onStep(component);
  const supplies = new SupplyReader(components.supplies);
  const read = await readComponents({ selection: components.selection, supplies, caches });
  onStep(`signature of ${component}`);
  const closure = await verifiedComponents(read, { wanted: components.verification, pins: job.pins });
  onStep("blueprint");
  const noted = noteBlueprint(closure);
  const source = await blueprintOfInstallation(installation, noted.closure, caches);
  onStep("imports");
  const reading = await loadImports(installation, lookupOf(imports), options);
  return {
    job,
    source,
    blueprintDigest: noted.digest(),
    closure,
    isVerified: components.verification !== undefined || parsePins(job.pins.parent)?.isVerified === true,
    reading,
    answers: new Map(answers),
    keys: {},
    surroundings,
  };
}

/** Values of imports and credentials that templates got are masked in what fails. */
async function masking<T>({ reading, answers }: Rendering, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    throw maskFailure(error, [...secretsOf(reading.given), ...answers.values()]);
  }
}

/** Renders until all answers are there; `found` are the warnings of the last attempt. `render` must not keep anything between its calls. */
async function renderAttempts<T extends object>(
  rendering: Rendering,
  render: (context: RenderContext) => T,
): Promise<T & { readonly found: readonly Warning[] }> {
  const { job, source, closure, answers, keys, surroundings } = rendering;
  const { caches, onStep, askCluster } = surroundings;
  // Keys of an attempt that missed an answer are those of the next one.
  const onKey = (name: string, key: string): void => void (keys[name] = key);
  return await renderAnswered(
    (host) => {
      const entropy = { ...job.entropy, keys: { ...job.entropy.keys, ...keys } };
      const context = buildRenderContext({ job: { ...job, entropy }, source, closure, caches, onStep, onKey });
      const found: Warning[] = [];
      const readContent = closure && ((resource: FoundResource) => closure.contentOf(resource, "content"));
      const fullHost = readContent === undefined ? host : { ...host, readContent };
      return { ...render({ ...context, host: fullHost, onWarning: (warning) => void found.push(warning) }), found };
    },
    { answers, ask: askCluster },
  );
}

async function loadStates({ job, source, surroundings }: Rendering, kind: StatefulKind) {
  const options = { installation: job.installation, blueprint: source.definition, kind };
  return { options, before: await loadTemplateStates(options, surroundings.findStates) };
}

/** Everything that a job makes of the imports before anything is written (core.md §2.3 Init b to g). */
export async function renderInit(
  { job, execution, fieldValidation }: Extract<RenderTask, { type: "init" }>,
  surroundings: RenderSurroundings,
): Promise<InitResult> {
  const rendering = await startRendering(job, surroundings);
  return await masking(rendering, async () => {
    const { installation } = job;
    const { reading } = rendering;
    const [deploy, subinstallation] = await Promise.all([
      loadStates(rendering, "deploy"),
      loadStates(rendering, "subinstallation"),
    ]);
    const states = { deploy: deploy.before, subinstallation: subinstallation.before };
    const mark = renderingMark(installation, reading.hash);
    const written = findRenderedItems(execution, mark);
    const mappings = installation.spec.importDataMappings;
    const { imports, rendered, sensitive, found } = await renderAttempts(rendering, (context) =>
      renderJob({ context, given: reading.given, mappings, states, written }),
    );
    surroundings.onStep("results");
    const { closure, isVerified } = rendering;
    const planned = (template: InstallationTemplate): PlannedTemplate => {
      const source = sourceOfTemplate(template, { closure, parent: installation.spec });
      return { template, source, pins: pinSubinstallation(source, { closure, isVerified, installation }) };
    };
    const told = [...rendering.source.warnings, ...warnOfInstallation(installation), ...maskWarnings(rendering, found)];
    const warnings = judgeWarnings(told, fieldValidation);
    checkLevels(rendered.deployItems, "deploy items");
    const { deployItems } = rendered;
    const pins = pinJob({ closure, isVerified, items: deployItems, blueprint: rendering.blueprintDigest });
    const plan = planExecution({ installation, deployItems, sensitive, pins, mark, existing: execution });
    if ("execution" in plan)
      checkSize((plan.execution.spec.deployItemsCompressed ?? "").length, "all deploy items together");
    return {
      hash: reading.hash,
      summary: reading.summary,
      keys: rendering.keys,
      states: [
        ...changedStates(deploy.options, deploy.before, rendered.states.deploy),
        ...changedStates(subinstallation.options, subinstallation.before, rendered.states.subinstallation),
      ],
      copies: packScope(buildImportCopies(installation, jobIdOf(installation), imports.values)),
      overwritten: closure?.overwritten,
      templates: rendered.templates.map((template) =>
        packChecked(planned(template), `subinstallation "${template.name}"`),
      ),
      execution: plan,
      hasItems: rendered.deployItems.length > 0,
      warnings,
    };
  });
}

/** Names of fields come from templates, and these from secrets. */
function maskWarnings({ reading, answers }: Rendering, warnings: readonly Warning[]): readonly Warning[] {
  if (warnings.length === 0) return warnings;
  const secrets = [...secretsOf(reading.given), ...answers.values()];
  return warnings.map(({ reason, message }) => ({ reason, message: redactLeaves(message, secrets) }));
}

/** The exports of a job whose imports are those that it has begun with. */
export async function renderComplete(
  { job, scope }: Extract<RenderTask, { type: "complete" }>,
  surroundings: RenderSurroundings,
): Promise<CompleteResult> {
  const rendering = await startRendering(job, surroundings);
  const { installation } = job;
  const { hash, given } = rendering.reading;
  if (!isSameHash(installation.status?.importsHash, hash)) return { isChanged: true, hash };
  return await masking(rendering, async () => {
    const { importDataMappings, exportDataMappings, exports } = installation.spec;
    const { options, before } = await loadStates(rendering, "export");
    const unpacked = unpackScope(scope);
    const wanted = {
      data: (exports?.data ?? []).map(({ name }) => name),
      targets: (exports?.targets ?? []).map(({ name }) => name),
    };
    const exported = await renderAttempts(rendering, (context) => {
      const imports = traceImports({ context, given, mappings: importDataMappings });
      const copies = nameImportCopies(installation, imports.value.values);
      const { bindings, sensitive } = readBindings(scope.isSelectedByName ? selectCopies(unpacked, copies) : unpacked);
      const mappings = exportDataMappings;
      const traced = traceExports({ context, imports, bindings, sensitive, state: before, wanted, mappings });
      return { rendered: traced.value, sensitive: sensitiveExportData(traced), copies };
    });
    surroundings.onStep("results");
    return {
      isChanged: false,
      keys: rendering.keys,
      states: changedStates(options, before, exported.rendered.state),
      exports: packScope(buildExportObjects(installation, jobIdOf(installation), exported)),
      copies: exported.copies,
      warnings: maskWarnings(rendering, exported.found),
    };
  });
}

/** What must not be told of the imports of a job and its answers. */
export async function readSecrets(job: JobInput): Promise<readonly unknown[]> {
  const { installation, imports, options, answers } = job;
  const { given } = await loadImports(installation, lookupOf(imports), options);
  return [...secretsOf(given), ...answers.map(([, answer]) => answer)];
}

function jobIdOf({ status }: Installation): string {
  return status?.jobID ?? "";
}

/** One of the original, whose job was running when this core took over, says nothing to us: it is shorter than ours. */
function isSameHash(noted: string | undefined, hash: string): boolean {
  return noted === hash || (noted !== undefined && noted.length !== hash.length);
}

interface UnpackedScope extends ScopeObjects {
  readonly itemExports: DataObject | undefined;
}

function unpackScope({ itemExports, dataObjects, targets }: ScopeInput): UnpackedScope {
  // The main thread has packed objects of these kinds.
  return {
    itemExports: itemExports === undefined ? undefined : (unpack(itemExports) as DataObject),
    dataObjects: dataObjects.map((packed) => unpack(packed) as DataObject),
    targets: targets.map((packed) => unpack(packed) as Target),
  };
}

function selectCopies(scope: UnpackedScope, names: CopyNames): UnpackedScope {
  return {
    ...scope,
    dataObjects: selectOfJob(scope.dataObjects, (object) => names.dataObjects.includes(nameOf(object))),
    targets: selectOfJob(scope.targets, (object) => names.targets.includes(nameOf(object))),
  };
}

function readBindings({
  itemExports,
  dataObjects,
  targets,
}: UnpackedScope): Pick<TraceExportsOptions, "bindings" | "sensitive"> {
  return {
    bindings: { deployItems: toItemExports(itemExports?.data), ...collectScopeBindings(dataObjects, targets) },
    sensitive: {
      deployItems: itemExports === undefined ? [] : sensitivePathsOf(itemExports.metadata),
      dataObjects: collectSensitivePaths(dataObjects),
    },
  };
}

function packScope({ dataObjects, targets }: ScopeObjects): PackedScope {
  const packObject = (object: KubeObject): Packed =>
    packChecked(object, `${object.kind} "${labelOf(object, labels.dataKey) ?? nameOf(object)}"`);
  return { dataObjects: dataObjects.map(packObject), targets: targets.map(packObject) };
}

function packChecked(value: unknown, what: string): Packed {
  checkLevels(value, what);
  const packed = pack(value);
  checkSize(packed.byteLength, what);
  return packed;
}
