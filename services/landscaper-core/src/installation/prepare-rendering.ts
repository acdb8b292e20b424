import { LandscaperError, resources, type Context, type Installation } from "@landscaper/api";
import {
  componentOfInstallation,
  createRenderBudget,
  prerequisiteError,
  type BlueprintSource,
  type RenderContext,
} from "@landscaper/blueprint";
import type { Core } from "../core.ts";
import { nameOf, namespaceOf, uidOf } from "../object-reading.ts";

/**
 * The Context that an Installation names. A default Context that the context controller is about to make is waited for; any other
 * that is absent, also live, is an error.
 */
export async function loadContext(core: Core, installation: Installation, signal: AbortSignal): Promise<Context> {
  const name = installation.spec.context ?? "";
  const namespace = namespaceOf(installation);
  const key = { namespace, name };
  const context =
    core.informers.contexts.lister.get(key) ?? (await core.client.find(resources.context, key, { signal }));
  if (context !== undefined) return context;
  const message = `spec.context: Context "${name}" was not found in namespace ${namespace}`;
  if (name === "default" && core.makesDefaultContext(namespace)) {
    throw new LandscaperError({ message, reason: "CalculateContext", operation: "InitPrerequisites" });
  }
  throw prerequisiteError(message, "CalculateContext", "create the Context and trigger the installation again");
}

/** Of each template, beside the limits of steps: whatever a template does, the workers of the core go on. */
const timeLimit = createRenderBudget(() => performance.now());

/** What every rendering of one job sees: time is the start of the job, random bytes belong to it (design.md §3.2). */
export function buildRenderContext(core: Core, installation: Installation, source: BlueprintSource): RenderContext {
  const { jobID = "", transitionTimes } = installation.status ?? {};
  const began = new Date(transitionTimes?.triggerTime ?? core.clock.now());
  return {
    source,
    installation: { name: nameOf(installation), namespace: namespaceOf(installation), spec: installation.spec },
    component: componentOfInstallation(installation, source),
    now: () => began,
    ...core.entropyOf(uidOf(installation), jobID),
    caches: core.renderCaches,
    budget: timeLimit,
  };
}
