import { LandscaperError, resources, type Context, type Installation } from "@landscaper/api";
import { prerequisiteError } from "@landscaper/blueprint";
import type { Core } from "../../core.ts";
import { namespaceOf } from "../../object-reading.ts";

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
