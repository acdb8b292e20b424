import { rollbackRevision } from "./records/new-revision.ts";
import type { ReleaseContext } from "./release-context.ts";
import { releaseError } from "./release-error.ts";
import type { ReleaseRecord } from "./records/release-record.ts";
import { methodOf, RollOut, type RollOutOptions } from "./roll-out.ts";

export interface RollbackPlan {
  readonly target: ReleaseRecord;
  /** All revisions, the oldest first. */
  readonly history: readonly ReleaseRecord[];
  readonly options: RollOutOptions;
  /** A rollback to the same revision that has not come to its end: when it is the newest, it is tried again under its number. */
  readonly retryOf?: number | undefined;
}

/** Back to a revision of the history, whatever state the release is in. Throws LandscaperError when the revision cannot be read. */
export function createRollback(context: ReleaseContext, plan: RollbackPlan): RollOut {
  const { name, namespace, now } = context;
  const { target, history, options, retryOf } = plan;
  if (target.unreadable !== undefined) throw releaseError("InvalidRelease", target.unreadable);
  const newest = history.at(-1);
  const retried = newest?.version === retryOf ? newest : undefined;
  const before = retried === undefined ? history : history.slice(0, -1);
  const { labels, helmVersion } = options;
  const made = { applyMethod: methodOf(options), labels, helmVersion, now: now() };
  const record = rollbackRevision(target, { name, namespace, history: before, ...made });
  return new RollOut(context, {
    kind: "rollback",
    record,
    history,
    retried,
    crds: [],
    options: { ...options, createNamespace: false },
    description: record.info.description,
  });
}
