import type { Installation } from "@landscaper/api";
import { LandscaperError } from "@landscaper/api";
import { toSafeError } from "../api-failure.ts";
import type { Core } from "../core.ts";
import { findStateTexts } from "../installation/store-template-states.ts";
import { namespaceOf, uidOf } from "../object-reading.ts";
import { loadOptions } from "../triggers/observe-changes.ts";
import type { ImportObjects } from "./import-objects.ts";
import { withTexts } from "./mask-failure.ts";
import type { JobInput, RenderQuestion, RenderResults, RenderTask } from "./render-task.ts";
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
  };
}

export interface JobTask<Type extends "init" | "complete"> {
  readonly part: Type;
  readonly job: JobInput;
  readonly task: Extract<RenderTask, { type: Type }>;
}

/** Lets a thread render; keeps what other attempts of the job have to get as well. Throws LandscaperErrors that may be told. */
export async function renderForJob<Type extends "init" | "complete">(
  core: Core,
  { part, job, task }: JobTask<Type>,
  signal: AbortSignal,
): Promise<RenderResults[Type]> {
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
  const result = await core.renderer.perform<Type>(task, options);
  if ("keys" in result) core.entropy.keep(uidOf(installation), jobIdOf(installation), result.keys);
  return result;
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
