/** Which limit a task has exceeded. `crash`: it has ended its thread in a way that leaves no other trace. */
export type ThreadLimit = "time" | "memory" | "size" | "crash";

const texts: Readonly<Record<ThreadLimit, (allowed: number) => string>> = {
  time: (allowed) => `took more than ${allowed / 1000} s of processor time`,
  memory: (allowed) => `needs more than ${allowed} MiB of memory`,
  size: (allowed) => `gives a result of more than ${allowed / 1024 / 1024} MiB`,
  crash: () => "ended its thread",
};

/** A task that took more than it may: `allowed` is in ms for time, in MiB for memory, in bytes for size. */
export class ThreadLimitError extends Error {
  readonly limit: ThreadLimit;
  readonly allowed: number;
  /** What the task was at, if it has said so. */
  readonly step: string | undefined;

  constructor(limit: ThreadLimit, allowed: number, step?: string) {
    super(texts[limit](allowed));
    this.name = "ThreadLimitError";
    this.limit = limit;
    this.allowed = allowed;
    this.step = step;
  }
}
