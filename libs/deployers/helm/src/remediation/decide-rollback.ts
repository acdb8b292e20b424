import { annotations, LandscaperError, type DeployItem } from "@landscaper/api";
import type { ReleaseRecord } from "@landscaper/helm-release";
import { isJsonObject } from "@landscaper/resources";
import type { HelmStatus } from "../helm-status.ts";

/** What the annotation asks for, as it stands there; undefined: the configured chart is to be deployed (deployers.md §6 B16). */
export function rollbackRequestOf({ metadata }: Pick<DeployItem, "metadata">): string | undefined {
  return metadata.annotations?.[annotations.helmRollbackTo];
}

/** The revision that the last job has rolled back to because the annotation said so, as it stood there. */
export function rolledBackTo({ status }: Pick<DeployItem, "status">): string | undefined {
  const rolledBack = status?.providerStatus?.["rolledBack"];
  return isJsonObject(rolledBack) ? String(rolledBack["to"]) : undefined;
}

export type RollbackDecision =
  /** The release is at that revision. */
  | { readonly type: "unchanged"; readonly record: ReleaseRecord; readonly to: number }
  | {
      readonly type: "rollback";
      readonly target: ReleaseRecord;
      /** A rollback to the same revision that has failed, whose number is used again. */
      readonly retryOf: number | undefined;
    };

export interface RollbackInput {
  /** Of the annotation. */
  readonly request: string;
  /** The oldest first. */
  readonly history: readonly ReleaseRecord[];
  /** Of the same release. */
  readonly status: Pick<HelmStatus, "release" | "rolledBack">;
}

/** How the release gets to the revision that is asked for, pure. Throws LandscaperError that lists the revisions when it is none of them. */
export function decideRollback({ request, history, status }: RollbackInput): RollbackDecision {
  const to = /^[1-9]\d{0,9}$/.test(request) ? Number(request) : undefined;
  const newest = history.at(-1);
  // Whoever has rolled it back; Helm words it so, and the history may not have the revision itself any more.
  const isThere =
    newest?.info.status === "deployed" && (newest.version === to || newest.info.description === `Rollback to ${to}`);
  if (isThere && to !== undefined) return { type: "unchanged", record: newest, to };
  const target = history.find(({ version }) => version === to);
  if (to === undefined || target === undefined) throw refusal(request, `there are ${listRevisions(history)}`);
  if (target.unreadable !== undefined) throw refusal(request, `it cannot be read: ${target.unreadable}`);
  const isOurs = newest?.version === status.release?.revision && status.rolledBack?.to === to;
  const isHalfWay = newest?.info.status === "failed" || newest?.info.status === "pending-rollback";
  return { type: "rollback", target, retryOf: isOurs && isHalfWay ? newest?.version : undefined };
}

/** An item of manifests. */
export function rollbackWithoutRelease(request: string): LandscaperError {
  return refusal(request, "there are none: helmDeployment is false");
}

function refusal(request: string, found: string): LandscaperError {
  return new LandscaperError({
    message: `annotation ${annotations.helmRollbackTo}: expected a revision of the release, found "${request}"; ${found}`,
    reason: "InvalidRollback",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "set it to one of them, or remove it",
    retry: "never",
  });
}

function listRevisions(history: readonly ReleaseRecord[]): string {
  if (history.length === 0) return "none";
  return history.map(({ version, info }) => `${version} (${info.status})`).join(", ");
}
