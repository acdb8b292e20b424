import { isFailedPhase } from "../objects/job-protocol.ts";
import type { ErrorStatus, TransitionTimes } from "../schema/schema-fields.ts";

interface Reported {
  readonly status?: { phase?: string; transitionTimes?: TransitionTimes; lastError?: ErrorStatus };
}

/** Failing because somebody else has failed is no cause of its own. */
const consequences: ReadonlySet<string> = new Set(["AllPredecessorsSucceeded", "ItemsNotStarted", "SiblingImport"]);

/** The failed object that is most likely the cause: not a consequence, then the one that failed first. */
export function firstFailure<T extends Reported>(objects: readonly T[]): T | undefined {
  const rank = ({ status }: T): string => {
    const isConsequence = consequences.has(status?.lastError?.reason ?? "");
    return `${isConsequence ? 1 : 0}${status?.transitionTimes?.finishedTime ?? ""}`;
  };
  const failed = objects.filter(({ status }) => isFailedPhase(status?.phase));
  return failed.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))[0];
}
