/** Processor time of a job, which its tasks draw down one after the other. */
export class WorkBudget {
  readonly allowedMs: number;
  #usedMs = 0;

  constructor(allowedMs: number) {
    this.allowedMs = allowedMs;
  }

  get usedMs(): number {
    return this.#usedMs;
  }

  /** Never below 0. */
  get leftMs(): number {
    return Math.max(0, this.allowedMs - this.#usedMs);
  }

  use(ms: number): void {
    this.#usedMs += Math.max(0, ms);
  }
}
