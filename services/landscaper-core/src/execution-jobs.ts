import { executionPhases as phases, type Execution, type KubeObject } from "@landscaper/api";
import type { JobHolderStatus } from "./job-status.ts";
import { uidOf } from "./object-reading.ts";

/**
 * Remembers of the running jobs of Executions whether they change something: the deploy items are others than those of the last
 * job, or that one has not succeeded. A job that another process has begun counts as one that does.
 */
export class ExecutionJobs {
  readonly #jobs = new Map<string, { readonly jobID: string | undefined; readonly isNews: boolean }>();

  /** What is known of the job of `current`, which stood as `previous` before. */
  follow(
    current: Execution,
    { status: previous = {} }: Execution,
  ): { readonly previous: JobHolderStatus; readonly isNews: boolean } {
    const { status = {} } = current;
    const uid = uidOf(current);
    if (hasBegun(status, previous)) this.#jobs.set(uid, { jobID: status.jobID, isNews: isOtherThan(status, previous) });
    const known = this.#jobs.get(uid);
    const isNews = known === undefined || known.jobID !== status.jobID || known.isNews;
    if (status.jobID === status.jobIDFinished) this.#jobs.delete(uid);
    return { previous, isNews };
  }

  /** The Execution is gone. */
  forget(object: KubeObject): void {
    this.#jobs.delete(uidOf(object));
  }
}

const finished: ReadonlySet<string | undefined> = new Set([
  undefined,
  "",
  phases.succeeded,
  phases.failed,
  phases.deleteFailed,
]);

/** The first status of the work on a job; it may be the last one, too. */
function hasBegun(status: JobHolderStatus, previous: JobHolderStatus): boolean {
  const isFirst = previous.jobID !== previous.jobIDFinished && finished.has(previous.phase);
  return isFirst && (!finished.has(status.phase) || status.jobID === status.jobIDFinished);
}

function isOtherThan(status: JobHolderStatus, previous: JobHolderStatus): boolean {
  return previous.phase !== phases.succeeded || previous.observedGeneration !== status.observedGeneration;
}
