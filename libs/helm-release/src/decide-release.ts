import type { ReleaseRecord } from "./release-record.ts";

/** What has to happen for a release to be as it should be (deployers.md §3.8, B18). */
export type ReleaseDecision =
  | { readonly type: "install" }
  /** `former`: the revision whose objects are there. */
  | { readonly type: "upgrade"; readonly former: ReleaseRecord }
  /** An operation on this revision has ended half-way: it is recorded as failed, then decided again. */
  | { readonly type: "repair"; readonly record: ReleaseRecord }
  /** An uninstall has ended half-way: it is ended, then the release is installed. */
  | { readonly type: "finish-uninstall" };

/** Decides by all revisions, the oldest first. */
export function decideRelease(history: readonly ReleaseRecord[]): ReleaseDecision {
  const newest = history.at(-1);
  if (newest === undefined) return { type: "install" };
  switch (newest.info.status) {
    case "uninstalled":
      return { type: "install" };
    case "pending-install":
    case "pending-upgrade":
    case "pending-rollback":
      return { type: "repair", record: newest };
    case "uninstalling":
      return { type: "finish-uninstall" };
    case "deployed":
    case "failed":
    case "superseded":
    case "unknown":
    default:
      return { type: "upgrade", former: formerOf(history) ?? newest };
  }
}

/** The deployed revision; without one the newest. */
export function formerOf(history: readonly ReleaseRecord[]): ReleaseRecord | undefined {
  return history.findLast(({ info }) => info.status === "deployed") ?? history.at(-1);
}
