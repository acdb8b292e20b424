import type { Core } from "../core.ts";
import { namespaceOf } from "../object-reading.ts";
import type { JobInput } from "./render-task.ts";

/** Hash of the imported values, also of those that are absent or cannot be read. */
export async function hashImportObjects(
  core: Core,
  reading: Pick<JobInput, "installation" | "imports" | "options">,
  signal: AbortSignal,
): Promise<string> {
  const namespace = namespaceOf(reading.installation);
  return await core.renderer.perform({ type: "hash", ...reading }, { namespace, signal });
}
