import { LandscaperError, resources, type Context, type Installation } from "@landscaper/api";
import { createBlueprint, createRenderBudget, type BlueprintSource, type RenderContext } from "@landscaper/blueprint";
import type { Core } from "../core.ts";
import { nameOf, namespaceOf } from "../object-reading.ts";

function configurationError(message: string, reason: string, hint?: string): LandscaperError {
  return new LandscaperError({
    message,
    reason,
    operation: "InitPrerequisites",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint,
    retry: "never",
  });
}

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
  throw configurationError(message, "CalculateContext", "create the Context and trigger the installation again");
}

/** The blueprint of an Installation; only inline ones can be read. */
export function readBlueprint(installation: Installation): BlueprintSource {
  const { inline, ref } = installation.spec.blueprint;
  if (inline === undefined) {
    throw configurationError(
      `spec.blueprint.ref "${ref?.resourceName ?? ""}" needs a component, but component repositories are not supported`,
      "ResolveBlueprint",
      "give the blueprint inline",
    );
  }
  return createBlueprint(inline.filesystem, `blueprint of installation ${nameOf(installation)}`);
}

/** `components` in the form of the descriptor's schema (core.md §3.7). */
function listComponents(descriptor: Readonly<Record<string, unknown>>): unknown {
  const { meta } = descriptor;
  if (meta === undefined) return [descriptor];
  return { meta, components: [descriptor] };
}

function componentBindings({ spec }: Installation): Partial<RenderContext> {
  const { inline, ref } = spec.componentDescriptor ?? {};
  if (inline !== undefined) return { componentDescriptor: inline, components: listComponents(inline) };
  if (ref === undefined) return {};
  throw configurationError(
    `spec.componentDescriptor.ref "${ref.componentName}" cannot be resolved: component repositories are not supported`,
    "GetComponentVersion",
    "give the component descriptor inline, or leave it out",
  );
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
    ...componentBindings(installation),
    now: () => began,
    random: core.randomOf(jobID),
    caches: core.renderCaches,
    budget: timeLimit,
  };
}
