/** A task that took more than it may: `allowed` is in ms for time, in MiB for memory. */
export class ThreadLimitError extends Error {
  readonly limit: "time" | "memory";
  readonly allowed: number;

  constructor(limit: "time" | "memory", allowed: number) {
    super(limit === "time" ? `took more than ${allowed / 1000} s` : `needs more than ${allowed} MiB of memory`);
    this.name = "ThreadLimitError";
    this.limit = limit;
    this.allowed = allowed;
  }
}
