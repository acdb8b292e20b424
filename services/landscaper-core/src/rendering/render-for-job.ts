import { annotations, installationPhases, LandscaperError, type Installation } from "@landscaper/api";
import { parsePins } from "@landscaper/components";
import { toSafeError } from "../api-failure.ts";
import type { ComponentJob } from "../components/job-components.ts";
import type { Core } from "../core.ts";
import { findExecution } from "../installation/find-execution.ts";
import { loadContext } from "../installation/preparation/load-context.ts";
import { pinsOfJob } from "../installation/subobjects/plan-execution.ts";
import { findStateTexts } from "../installation/subobjects/store-template-states.ts";
import { annotationOf, namespaceOf, parentOf, uidOf } from "../object-reading.ts";
import { loadOptions } from "../triggers/observe-changes.ts";
import type { ImportObjects } from "./import-objects.ts";
import { withTexts } from "./mask-failure.ts";
import type { JobInput, JobResults, PinInput, RenderQuestion, RenderTask } from "./render-task.ts";
import type { RenderOptions } from "./renderer.ts";

function jobIdOf({ status }: Installation): string {
  return status?.jobID ?? "";
}

/** What a thread needs to render for the job of an Installation, whose status is that of the pass. */
export function buildJobInput(core: Core, installation: Installation, imports: ImportObjects): JobInput {
  const { triggerTime } = installation.status?.transitionTimes ?? {};
  return {
    installation,
    imports,
    options: loadOptions(installation),
    entropy: core.entropy.seedOf(uidOf(installation), jobIdOf(installation)),
    answers: core.answers.known(installation),
    nowMs: triggerTime === undefined ? core.clock.now() : Date.parse(triggerTime),
    // What there is of it is added when it is rendered.
    components: { selection: undefined, supplies: [] },
    pins: readPins(core, installation),
  };
}

/** Of a root Installation the annotation is nothing: users might write it. */
function readPins(core: Core, installation: Installation): PinInput {
  const execution = findExecution(core.informers, installation);
  const isRendered = installation.status?.phase === installationPhases.completing;
  const noted = isRendered && execution !== undefined ? annotationOf(execution, annotations.componentPins) : undefined;
  const own = noted ?? pinsOfJob(execution, installation);
  if (parentOf(installation) === undefined) return { parent: undefined, own, mustBeVerified: false };
  const parent = annotationOf(installation, annotations.componentPins);
  const isDemanded = core.signaturePolicy === "Enforce" || rootOf(core, installation).spec.verification !== undefined;
  return { parent, own, mustBeVerified: core.signaturePolicy !== "Disabled" && isDemanded };
}

/** More levels than subinstallations have. */
const maxLevels = 100;

function rootOf({ informers }: Core, installation: Installation): Installation {
  let root = installation;
  for (let level = 0; level < maxLevels; level += 1) {
    const owner = parentOf(root);
    const namespace = namespaceOf(root);
    const parent =
      owner === undefined ? undefined : informers.installations.lister.get({ namespace, name: owner.name });
    if (parent === undefined) return root;
    root = parent;
  }
  return root;
}

export interface JobTask<Type extends "init" | "complete"> {
  readonly part: Type;
  readonly job: JobInput;
  readonly task: Extract<RenderTask, { type: Type }>;
}

/** More attempts than the deepest component and the most contents take. */
const maxAttempts = 400;

/**
 * Lets a thread render; keeps what other attempts of the job have to get as well. What the rendering lacks of components is fetched between two attempts, so that no thread
 * waits for a registry (docs/adr/0031-components-in-the-core.md). Throws LandscaperErrors that may be told.
 */
export async function renderForJob<Type extends "init" | "complete">(
  core: Core,
  { part, job, task }: JobTask<Type>,
  signal: AbortSignal,
): Promise<JobResults[Type]> {
  const { installation } = job;
  const answer = async (question: RenderQuestion): Promise<unknown> => {
    if (question.type === "states")
      return await findStateTexts({ client: core.client, installation, signal }, question.names);
    return await core.answers.answer(installation, question, signal);
  };
  const options: RenderOptions = {
    namespace: namespaceOf(installation),
    job: { id: `${uidOf(installation)}/${jobIdOf(installation)}`, part },
    answer,
    signal,
  };
  const loading = {
    installation,
    loadContext: async () => await loadContext(core, installation, signal),
    // Exports are of what was rendered and pinned before (docs/reference/components.md#pins).
    isVerified: part === "complete" && parsePins(job.pins.own)?.isVerified === true,
  };
  const result = await renderSupplied(core, { task, loading, options }, signal);
  core.components.settle(installation);
  if ("keys" in result) core.entropy.keep(uidOf(installation), jobIdOf(installation), result.keys);
  // A task of a type has a result of the same type.
  return result as JobResults[Type];
}

interface SuppliedRendering {
  readonly task: Extract<RenderTask, { readonly type: "init" | "complete" }>;
  readonly loading: ComponentJob;
  readonly options: RenderOptions;
}

async function renderSupplied(
  core: Core,
  { task, loading, options }: SuppliedRendering,
  signal: AbortSignal,
): Promise<JobResults["init" | "complete"]> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const components = await core.components.input(loading, signal);
    const job = { ...task.job, components };
    const result = await core.renderer.perform<"init" | "complete">({ ...task, job }, options);
    if (!("lacking" in result)) return result;
    await core.components.fetch(loading, result.lacking, signal);
  }
  throw new Error(`rendering asked for components ${maxAttempts} times`);
}

/**
 * The error as it may stand in a status: API servers quote what they refuse. A thread masks what the job knows, for that can be long;
 * an error that it cannot mask says nothing of what was quoted.
 */
export async function toMaskedError(
  core: Core,
  { error, job }: { readonly error: unknown; readonly job: JobInput },
  signal: AbortSignal,
): Promise<unknown> {
  const safe = toSafeError(error);
  if (!(safe instanceof LandscaperError) || safe.isMasked) return safe;
  const { message, hint } = safe;
  const known = { ...job, answers: core.answers.known(job.installation) };
  try {
    const texts = hint === undefined ? [message] : [message, hint];
    const task = { type: "mask" as const, job: known, texts };
    const [maskedMessage = "", maskedHint] = await core.renderer.perform(task, {
      namespace: namespaceOf(job.installation),
      signal,
    });
    return withTexts(safe, { message: maskedMessage, hint: maskedHint });
  } catch (failure) {
    signal.throwIfAborted();
    const reason = failure instanceof LandscaperError ? failure.reason : "Unknown";
    return withTexts(safe, {
      message: `the message is not shown, because masking it failed (${reason})`,
      hint: undefined,
    });
  }
}
