import type { ReleaseRecord } from "./release-record.ts";

/** How the objects of a revision are written: by server-side apply, or by the client's three-way merge. */
export type ApplyMethod = "ssa" | "csa";

/** Reads the method as Helm does: a record without a method, or with an unknown one, counts as "csa". */
export function applyMethodOf({ apply_method: method }: Pick<ReleaseRecord, "apply_method">): ApplyMethod {
  return method === "ssa" ? "ssa" : "csa";
}

/**
 * Returns the method that the next revision keeps, as Helm's `auto` does: the method of the newest revision, even if that revision has failed.
 * Undefined if the next revision is an install, which has no method to keep. `history`: all revisions, the oldest first.
 */
export function inheritedMethod(history: readonly ReleaseRecord[]): ApplyMethod | undefined {
  const newest = history.findLast(({ unreadable }) => unreadable === undefined);
  if (newest === undefined || isUninstalled(newest)) return undefined;
  return applyMethodOf(newest);
}

/** Whether a deployment after this revision is an install. */
function isUninstalled({ info: { status } }: ReleaseRecord): boolean {
  return status === "uninstalled" || status === "uninstalling";
}
