import { WorkBudget } from "./work-budget.ts";

/** A task of a job: which job, and which part of it. */
export interface JobPart {
  readonly id: string;
  readonly part: string;
}

/** Jobs whose times are remembered. */
const maxJobs = 10_000;

/** Processor time (ms) of the parts of jobs, whose sum has the limit of one job. A part that is done again does not count twice. */
export class JobTimes {
  readonly #jobs = new Map<string, ReadonlyMap<string, number>>();

  /** Does a part with what the others have left of `allowedMs`. */
  async spend<T>(part: JobPart, allowedMs: number, work: (budget: WorkBudget) => Promise<T>): Promise<T> {
    const budget = new WorkBudget(allowedMs);
    budget.use(this.usedByOthers(part));
    const usedBefore = budget.usedMs;
    try {
      return await work(budget);
    } finally {
      this.note(part, budget.usedMs - usedBefore);
    }
  }

  /** Of the other parts of the job. */
  usedByOthers({ id, part }: JobPart): number {
    let used = 0;
    for (const [other, ms] of this.#jobs.get(id) ?? []) if (other !== part) used += ms;
    return used;
  }

  note({ id, part }: JobPart, ms: number): void {
    this.#jobs.set(id, new Map([...(this.#jobs.get(id) ?? []), [part, ms]]));
    const [oldest] = this.#jobs.keys();
    if (this.#jobs.size > maxJobs && oldest !== undefined) this.#jobs.delete(oldest);
  }
}
