import { rollbackRevision } from "./new-revision.ts";
import type { ReleaseContext } from "./release-context.ts";
import { releaseError } from "./release-error.ts";
import type { ReleaseRecord } from "./release-record.ts";
import { RollOut, type RollOutOptions } from "./roll-out.ts";

export interface RollbackPlan {
  readonly target: ReleaseRecord;
  /** All revisions, the oldest first. */
  readonly history: readonly ReleaseRecord[];
  readonly options: RollOutOptions;
}

/** Back to a revision of the history, whatever state the release is in. Throws LandscaperError when the revision cannot be read. */
export function createRollback(context: ReleaseContext, { target, history, options }: RollbackPlan): RollOut {
  const { name, namespace, now } = context;
  if (target.unreadable !== undefined) throw releaseError("InvalidRelease", target.unreadable);
  const record = rollbackRevision(target, { name, namespace, history, now: now() });
  return new RollOut(context, {
    kind: "rollback",
    record,
    history,
    crds: [],
    options: { ...options, createNamespace: false },
    description: record.info.description,
  });
}
