import type { ReleaseRecord, ReleaseStatus } from "./release-record.ts";

/** What has to happen for a release to be as it should be (deployers.md §3.8, B18). */
export type ReleaseDecision =
  | { readonly type: "install" }
  /** `former`: the revision whose objects are there. */
  | { readonly type: "upgrade"; readonly former: ReleaseRecord }
  /** An operation on this revision has ended half-way: it is recorded as failed, then decided again. */
  | { readonly type: "repair"; readonly record: ReleaseRecord }
  /** An uninstall of this revision has ended half-way: it is ended, then the release is installed. */
  | { readonly type: "finish-uninstall"; readonly record: ReleaseRecord };

/** Decides by all revisions, the oldest first. */
export function decideRelease(history: readonly ReleaseRecord[]): ReleaseDecision {
  const newest = history.at(-1);
  if (newest !== undefined && isPending(newest)) return { type: "repair", record: newest };
  if (newest?.info.status === "uninstalling") return { type: "finish-uninstall", record: newest };
  const { former } = revisionsAtWork(history);
  return former === undefined ? { type: "install" } : { type: "upgrade", former };
}

export function isPending({ info: { status } }: ReleaseRecord): boolean {
  return status === "pending-install" || status === "pending-upgrade" || status === "pending-rollback";
}

/** Revisions whose objects may be on the cluster: not what was uninstalled, nor what came before that. */
export interface RevisionsAtWork {
  /** The deployed one; without it the newest that can be read. */
  readonly former: ReleaseRecord | undefined;
  /** Whether the objects of the former are surely the release's, whatever their marks say: they have been deployed. */
  readonly isDeployed: boolean;
  /** Others that may have left objects, the newest first: what failed or was interrupted, and what came after the former. */
  readonly others: readonly ReleaseRecord[];
  /** Whether a revision that cannot be read may have left objects as well. */
  readonly isUnclear: boolean;
}

/** The deployed revision; without one the newest. */
export function currentRevision(history: readonly ReleaseRecord[]): ReleaseRecord | undefined {
  return history.findLast(({ info }) => info.status === "deployed") ?? history.at(-1);
}

export function revisionsAtWork(history: readonly ReleaseRecord[]): RevisionsAtWork {
  const all = sinceUninstalled(history);
  const known = all.filter(isReadable);
  const former = currentRevision(known);
  const isUnclear = all.some((record) => !isReadable(record) && record.info.status !== "superseded");
  if (former === undefined) return { former, isDeployed: false, others: [], isUnclear };
  const isDeployed = former.info.status !== "failed" && !isPending(former);
  const others = known.filter(
    (record) => record !== former && (record.version > former.version || record.info.status !== "superseded"),
  );
  return { former, isDeployed, others: others.toReversed(), isUnclear };
}

/** What an upgrade that fails goes back to: the last revision that is deployed, or was. */
export function lastGood(history: readonly ReleaseRecord[]): ReleaseRecord | undefined {
  const known = sinceUninstalled(history).filter(isReadable);
  const newest = (status: ReleaseStatus): ReleaseRecord | undefined =>
    known.findLast(({ info }) => info.status === status);
  return newest("deployed") ?? newest("superseded");
}

function sinceUninstalled(history: readonly ReleaseRecord[]): readonly ReleaseRecord[] {
  return history.slice(history.findLastIndex(({ info }) => info.status === "uninstalled") + 1);
}

function isReadable({ unreadable }: ReleaseRecord): boolean {
  return unreadable === undefined;
}
