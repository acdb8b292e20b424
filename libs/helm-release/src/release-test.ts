import type { ReleaseContext, ReleaseWait } from "./release-context.ts";
import type { ReleaseRecord } from "./release-record.ts";
import { HookRun } from "./run-hooks.ts";

/** Runs the hooks of event "test" of a deployed revision and records how they ended. */
export class ReleaseTest {
  readonly #context: ReleaseContext;
  readonly #run: HookRun;

  constructor(context: ReleaseContext, record: ReleaseRecord) {
    this.#context = context;
    this.#run = new HookRun(context, "test", record);
  }

  /** Undefined when all have succeeded. Throws LandscaperError (HookFailed) for the first that fails. */
  async advance(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    try {
      const waiting = await this.#run.advance(signal);
      if (waiting !== undefined) return waiting;
    } catch (error) {
      signal.throwIfAborted();
      await this.#context.store.update(this.#run.record, { signal });
      throw error;
    }
    await this.#context.store.update(this.#run.record, { signal });
    return undefined;
  }
}
