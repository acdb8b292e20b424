import type { ReleaseContext } from "./release-context.ts";
import { releaseError } from "./release-error.ts";
import type { ReleaseRecord } from "./records/release-record.ts";
import { Uninstall, type UninstallOptions } from "./uninstall.ts";

/** Removes a release, whatever state it is in. Throws LandscaperError when there is no revision. */
export function createUninstall(
  context: ReleaseContext,
  history: readonly ReleaseRecord[],
  options: UninstallOptions,
): Uninstall {
  const newest = history.at(-1);
  if (newest === undefined) {
    throw releaseError("InvalidRelease", `release ${context.namespace}/${context.name}: not found`);
  }
  return new Uninstall(context, { history, newest }, options);
}
