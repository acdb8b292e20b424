import type { ReleaseContext, ReleaseWait } from "../release-context.ts";
import { releaseError } from "../release-error.ts";
import type { ReleaseRecord } from "../records/release-record.ts";
import { HookRun } from "./run-hooks.ts";

/** Runs the hooks of event "test" of a deployed revision and records how they ended. */
export class ReleaseTest {
  readonly #context: ReleaseContext;
  readonly #run: HookRun;

  /** Throws LandscaperError for a revision that is not deployed. */
  constructor(context: ReleaseContext, record: ReleaseRecord) {
    const { name, version, info, unreadable } = record;
    if (info.status !== "deployed" || unreadable !== undefined) {
      const found = unreadable ?? `is ${info.status}`;
      const message = `release ${context.namespace}/${name}, revision ${version}: ${found}; only what is deployed can be tested`;
      throw releaseError("InvalidRelease", message);
    }
    this.#context = context;
    this.#run = new HookRun(context, "test", { record, ended: new Set(), records: [record] });
  }

  /** Undefined when all have succeeded. Throws LandscaperError (HookFailed) for the first that fails. */
  async advance(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    try {
      return await this.#run.advance(signal);
    } catch (error) {
      signal.throwIfAborted();
      await this.#context.store.update(this.#run.record, { signal }).catch((second: unknown) => {
        // What has happened must not be hidden by what cannot be recorded.
        this.#context.log.warn({ error: String(second) }, "could not record how the tests ended");
      });
      throw error;
    }
  }
}
