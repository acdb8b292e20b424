import { formatMiB } from "@landscaper/budget";

/** Which limit a task has exceeded. `crash`: it has ended its thread in a way that leaves no other trace. */
export type ThreadLimit = "time" | "memory" | "size" | "crash";

const texts: Readonly<Record<ThreadLimit, (allowed: number, found: number) => string>> = {
  time: (allowed) => `took more than ${allowed / 1000} s of processor time`,
  memory: (allowed) => `needs more than ${allowed} MiB of memory`,
  size: (allowed, found) => `gives a result of ${formatMiB(found)}, the limit is ${formatMiB(allowed)}`,
  crash: () => "ended its thread",
};

/** A task that took more than it may: `allowed` is in ms for time, in MiB for memory, in bytes for size. */
export class ThreadLimitError extends Error {
  readonly limit: ThreadLimit;
  readonly allowed: number;
  /** What the task was at, if it has said so. */
  readonly step: string | undefined;

  /** `found` is what the task came to, where that is known. */
  constructor(
    limit: ThreadLimit,
    allowed: number,
    { step, found = allowed }: { readonly step?: string | undefined; readonly found?: number } = {},
  ) {
    super(texts[limit](allowed, found));
    this.name = "ThreadLimitError";
    this.limit = limit;
    this.allowed = allowed;
    this.step = step;
  }
}
