import { LandscaperError } from "@landscaper/api";
import { keyOfReference, referenceTo, type TargetCluster } from "@landscaper/resources";
import type { ReleaseObject } from "./release-objects.ts";

/** Returns the error of an object with the template that the object comes from. Other errors are returned unchanged. */
export function inTemplate(error: unknown, path: string | undefined): unknown {
  if (!(error instanceof LandscaperError) || path === undefined) return error;
  return error.with({ message: `${path}: ${error.message}` });
}

/**
 * Returns the error of a server-side apply. If the API server refused the apply but accepts a dry run of an update, the hint says so: in an update, the
 * API server ignores unknown fields, duplicate keys and null values.
 */
export async function compareWithUpdate(
  error: unknown,
  item: ReleaseObject,
  { cluster, signal }: { readonly cluster: TargetCluster; readonly signal: AbortSignal },
): Promise<unknown> {
  if (!(error instanceof LandscaperError) || error.reason !== "TargetRefused") return error;
  if (!(await isAcceptedByUpdate(item, { cluster, signal }))) return error;
  const accepted = "correct the object, or set updateStrategy: update, with which the API server accepts it";
  return error.with({ hint: error.hint === undefined ? accepted : `${error.hint}; ${accepted}` });
}

async function isAcceptedByUpdate(
  { object, type }: ReleaseObject,
  { cluster: { client }, signal }: { readonly cluster: TargetCluster; readonly signal: AbortSignal },
): Promise<boolean> {
  const key = keyOfReference(referenceTo(object), type.namespaced);
  try {
    const live = await client.find(type, key, { signal });
    if (live === undefined) await client.create(type, object, { dryRun: true, signal });
    else await client.patch(type, key, { type: "merge", body: object, dryRun: true, signal });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
