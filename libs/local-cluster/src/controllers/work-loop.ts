/** Runs the cluster's own controllers: one piece of work per key, each after the write that caused it has been answered. */
export class WorkLoop {
  readonly #pending = new Map<string, () => void>();
  #scheduled = false;
  #stopped = false;

  /** Runs `work` soon; work that already waits under `key` is replaced. */
  enqueue(key: string, work: () => void): void {
    if (this.#stopped) return;
    this.#pending.set(key, work);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#run());
  }

  stop(): void {
    this.#stopped = true;
    this.#pending.clear();
  }

  #run(): void {
    this.#scheduled = false;
    const batch = [...this.#pending];
    this.#pending.clear();
    for (const [key, work] of batch) {
      // Work that was queued again in the meantime has the newer closure.
      const newer = this.#pending.get(key);
      this.#pending.delete(key);
      (newer ?? work)();
    }
  }
}
