import {
  annotations,
  hasWarnings,
  isFailedPhase,
  LandscaperError,
  installationPhases as phases,
  parseCronSpec,
  parseDuration,
  toTimestamp,
  type AutomaticReconcile,
  type AutomaticReconcileStatus,
  type InstallationStatus,
  type Warning,
} from "@landscaper/api";
import { annotationOf } from "../object-reading.ts";
import type { ObservedInstallation } from "../installation/observed-installation.ts";

/** What automaticReconcile does about an Installation whose last job has ended. */
export type AutomaticDecision =
  /** Nothing, until something changes. */
  | { readonly kind: "off" }
  /** The status has to say so first: the count begins anew, or the success is seen for the first time. */
  | { readonly kind: "record"; readonly automatic: AutomaticReconcileStatus | undefined }
  /** A job starts; its first status write stores the count. */
  | { readonly kind: "start"; readonly automatic: AutomaticReconcileStatus }
  | { readonly kind: "wait"; readonly untilMs: number }
  /** Nobody can say when the next job is due: that is told, once. */
  | { readonly kind: "warn"; readonly warning: Warning };

const defaultSucceededMs = 24 * 3_600_000;
const defaultFailedMs = 5 * 60_000;

type Schedule = NonNullable<AutomaticReconcile["succeededReconcile"]>;

/**
 * core.md §2.4, row by row; only for roots, and only while nothing else is asked for. The first retry after a failure is immediate
 * (§1.5 D13). A running job is not looked at: so a user's trigger takes the count away before it can be counted up (§4.39 fixed).
 */
export function decideAutomaticReconcile(
  { installation, status, isRoot }: Pick<ObservedInstallation, "installation" | "status" | "isRoot">,
  now: Date,
): AutomaticDecision {
  const { generation = 0 } = installation.metadata;
  if (!isRoot || annotationOf(installation, annotations.operation) !== undefined) return { kind: "off" };
  if (generation !== status.observedGeneration) return { kind: "off" };
  const last = status.automaticReconcileStatus;
  const isFailed = isFailedPhase(status.phase);
  if (!isFailed && status.phase !== phases.succeeded) return { kind: "off" };
  const isCounted = last?.generation === generation && (last.onFailed ?? false) === isFailed;
  const rule = ruleFor(installation.spec.automaticReconcile, isFailed);
  if (rule === undefined)
    return last === undefined || isCounted ? { kind: "off" } : { kind: "record", automatic: undefined };
  const next = { generation, lastReconcileTime: toTimestamp(now), onFailed: isFailed };
  if (last === undefined || !isCounted) {
    return isFailed
      ? { kind: "start", automatic: { ...next, numberOfReconciles: 1 } }
      : { kind: "record", automatic: { ...next, numberOfReconciles: 0 } };
  }
  const { numberOfReconciles: count = 0 } = last;
  if (count >= rule.maxReconciles) return { kind: "off" };
  try {
    return decideDue({ ...next, numberOfReconciles: count + 1 }, nextTime(last, rule), now);
  } catch (error) {
    return decideUnreadable(error, status);
  }
}

/** Jobs refuse such a schedule (`checkSchedules`): one that has succeeded was another version's, or the original's. */
function decideUnreadable(error: unknown, { conditions = [], phase }: InstallationStatus): AutomaticDecision {
  if (!(error instanceof LandscaperError)) throw error;
  const field = isFailedPhase(phase) ? "failedReconcile" : "succeededReconcile";
  const message = `spec.automaticReconcile.${field}: ${error.message}; no job starts by it`;
  const warning = { reason: "InvalidSchedule", message };
  return hasWarnings(conditions, [warning]) ? { kind: "off" } : { kind: "warn", warning };
}

interface Rule extends Schedule {
  readonly maxReconciles: number;
  readonly defaultMs: number;
}

/** What applies after the end of the last job; undefined when nothing does. */
function ruleFor(automatic: AutomaticReconcile | undefined, isFailed: boolean): Rule | undefined {
  const { succeededReconcile, failedReconcile } = automatic ?? {};
  const unlimited = Number.POSITIVE_INFINITY;
  if (!isFailed)
    return succeededReconcile && { ...succeededReconcile, maxReconciles: unlimited, defaultMs: defaultSucceededMs };
  const maxReconciles = failedReconcile?.numberOfReconciles ?? unlimited;
  return maxReconciles > 0 && failedReconcile !== undefined
    ? { ...failedReconcile, maxReconciles, defaultMs: defaultFailedMs }
    : undefined;
}

function decideDue(automatic: AutomaticReconcileStatus, dueMs: number | undefined, now: Date): AutomaticDecision {
  if (dueMs === undefined) return { kind: "off" };
  return now.getTime() >= dueMs ? { kind: "start", automatic } : { kind: "wait", untilMs: dueMs };
}

/** Ms since the epoch; undefined when the cron specification has no time any more. Throws LandscaperError for what cannot be read. */
function nextTime(
  { lastReconcileTime = "" }: AutomaticReconcileStatus,
  { cronSpec = "", interval, defaultMs }: Rule,
): number | undefined {
  const parsed = Date.parse(lastReconcileTime);
  // What no version of the protocol writes counts as long ago.
  const last = new Date(Number.isNaN(parsed) ? 0 : parsed);
  if (cronSpec !== "") return parseCronSpec(cronSpec).next(last)?.getTime();
  return last.getTime() + intervalMs(interval, defaultMs);
}

/** An interval that is none would be a loop without pause. */
function intervalMs(interval: string | undefined, defaultMs: number): number {
  const ms = parseDuration(interval ?? "none");
  return ms > 0 ? ms : defaultMs;
}
