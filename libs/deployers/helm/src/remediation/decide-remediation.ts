import { lastGood, type ReleaseRecord } from "@landscaper/helm-release";
import type { Attempts, Remedy } from "../helm-status.ts";
import type { Remediation, Remediations } from "./remediation-config.ts";

export type RemediationDecision =
  | { readonly type: "attempt" }
  | { readonly type: "uninstall"; readonly next: "attempt" | "end" }
  /** `retryOf`: the revision of a rollback that has failed, whose number is used again. */
  | { readonly type: "rollback"; readonly target: ReleaseRecord; readonly retryOf: number | undefined }
  /** The job has failed, and this is what has come of the release. */
  | { readonly type: "end"; readonly done: Remedied };

export type Remedied = "rolled back" | "uninstalled" | "left" | "nothing to roll back to";

export interface RemediationInput {
  /** The oldest first. */
  readonly history: readonly ReleaseRecord[];
  /** The last revision that a job of the item has begun. */
  readonly ownRevision: number | undefined;
  readonly attempts: Attempts;
  readonly remediations: Remediations;
}

/** Whether a release was ever deployed decides whose failures they are. */
export function remediationFor(
  history: readonly ReleaseRecord[],
  { install, upgrade }: Remediations,
): Remediation | undefined {
  return lastGood(history) === undefined ? install : upgrade;
}

/**
 * What happens to a release whose content is not deployed yet, by rows; the first that fits counts. Pure.
 *
 * | attempts of the job | release | then |
 * |---|---|---|
 * | are being undone | | go on with that, then end |
 * | any | its phase has no remediation | attempt |
 * | may be made still | the item's own first install has failed, now or in an earlier job | uninstall, then attempt |
 * | | other | attempt; a failed upgrade under its number |
 * | none is left | the last failure is to be left | end |
 * | | never deployed, or strategy uninstall | uninstall, then end |
 * | | strategy rollback | rollback to the last revision that was deployed, then end |
 */
export function decideRemediation(input: RemediationInput): RemediationDecision {
  const { history, ownRevision, attempts, remediations } = input;
  if (attempts.remedy !== undefined) return goOn(history, attempts.remedy);
  const remediation = remediationFor(history, remediations);
  if (remediation === undefined) return { type: "attempt" };
  const good = lastGood(history);
  const newest = history.at(-1);
  if (attempts.failed <= remediation.retries) {
    const isLeft = good === undefined && newest?.version === ownRevision && newest?.info.status === "failed";
    return isLeft ? { type: "uninstall", next: "attempt" } : { type: "attempt" };
  }
  if (!remediation.undoesLast) return { type: "end", done: "left" };
  if (good === undefined || remediation.strategy === "uninstall") return { type: "uninstall", next: "end" };
  return { type: "rollback", target: good, retryOf: undefined };
}

function goOn(history: readonly ReleaseRecord[], remedy: Remedy): RemediationDecision {
  const newest = history.at(-1);
  if (remedy.type === "uninstall") {
    const isGone = newest === undefined || newest.info.status === "uninstalled";
    return isGone ? { type: "end", done: "uninstalled" } : { type: "uninstall", next: "end" };
  }
  const isBegun = newest?.version === remedy.revision;
  if (isBegun && newest.info.status === "deployed") return { type: "end", done: "rolled back" };
  // Somebody else has gone on with the release.
  if (newest !== undefined && newest.version > remedy.revision) return { type: "end", done: "left" };
  const target = history.find(({ version }) => version === remedy.to);
  if (target === undefined) return { type: "end", done: "nothing to roll back to" };
  return { type: "rollback", target, retryOf: isBegun ? remedy.revision : undefined };
}

/**
 * The attempts of this job at these inputs. What a job before has counted does not count; what has failed unseen does: a process may die when
 * the record is written and the status is not.
 */
export function attemptsOf(
  status: Attempts | undefined,
  work: Pick<Attempts, "jobID" | "inputs">,
  { history, ownRevision }: Pick<RemediationInput, "history" | "ownRevision">,
): Attempts {
  const newest = history.at(-1);
  const failure = newest?.version === ownRevision && newest?.info.status === "failed" ? newest.info : undefined;
  if (status === undefined || status.jobID !== work.jobID || status.inputs !== work.inputs) {
    return { ...work, failed: 0, lastFailure: failure?.last_deployed };
  }
  if (failure === undefined || failure.last_deployed === status.lastFailure || status.remedy !== undefined) {
    return status;
  }
  const cause = { message: failure.description, reason: "ReleaseFailed" };
  return { ...status, failed: status.failed + 1, lastFailure: failure.last_deployed, cause };
}
