/** A watch that is open again brings within this time (ms) what it has missed. */
const catchUpMs = 5_000;

/** Knows since when a watch may have missed changes. All times are in ms of a monotonic clock. */
export class WatchGap {
  #lostAt: number | undefined;
  #openAt: number | undefined;

  /** The watch has failed. It may fail many times before it is open again. */
  lose(elapsedMs: number): void {
    this.#lostAt = this.since(elapsedMs) ?? elapsedMs;
    this.#openAt = undefined;
  }

  /** The server has accepted a watch. */
  open(elapsedMs: number): void {
    this.#openAt ??= elapsedMs;
  }

  /** The first time at which a change that is only seen now can have happened; undefined if the watch has missed nothing. */
  since(elapsedMs: number): number | undefined {
    const hasCaughtUp = this.#openAt !== undefined && elapsedMs - this.#openAt > catchUpMs;
    return hasCaughtUp ? undefined : this.#lostAt;
  }
}
