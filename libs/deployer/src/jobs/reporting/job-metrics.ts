import { isCataloguedReason, isFailedPhase, type ErrorStatus } from "@landscaper/api";
import type { Clock, MetricDefinitions } from "@landscaper/controller-runtime";

/** What core and deployers tell of the jobs that they end (docs/reference/metrics.md). */
export const jobMetricTable = {
  jobDuration: {
    name: "landscaper_job_duration_seconds",
    help: "Time from the trigger of a job to its end, by kind and result: Succeeded, Failed",
    labels: ["kind", "result"],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
  },
  jobFailures: {
    name: "landscaper_job_failures_total",
    help: 'Jobs that failed, by kind and reason of lastError; reason "other" are those that docs/errors.md does not have',
    labels: ["kind", "reason"],
  },
} as const;

interface JobObject {
  readonly kind: string;
  readonly status?: {
    readonly phase?: string;
    readonly lastError?: Pick<ErrorStatus, "reason">;
    readonly transitionTimes?: { readonly triggerTime?: string };
  };
}

/** Hears of each job that has ended; must not throw. */
export type JobObserver = (ended: JobObject) => void;

/** Counts jobs, with the time since their trigger. */
export function createJobObserver(define: MetricDefinitions, clock: Pick<Clock, "now">): JobObserver {
  const duration = define.histogram(jobMetricTable.jobDuration);
  const failures = define.counter(jobMetricTable.jobFailures);
  return ({ kind, status = {} }) => {
    const hasFailed = isFailedPhase(status.phase);
    const triggeredMs = Date.parse(status.transitionTimes?.triggerTime ?? "");
    const seconds = Math.max(0, clock.now() - triggeredMs) / 1000;
    if (!Number.isNaN(triggeredMs)) duration.observe({ kind, result: hasFailed ? "Failed" : "Succeeded" }, seconds);
    if (hasFailed) failures.inc({ kind, reason: reasonLabel(status.lastError?.reason) });
  };
}

/** Reasons of other deployers are free texts. */
function reasonLabel(reason = ""): string {
  return isCataloguedReason(reason) ? reason : "other";
}
