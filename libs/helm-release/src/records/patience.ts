import { awaitObject } from "@landscaper/resources";
import type { ReleaseContext, ReleaseWait } from "../release-context.ts";
import type { ReleaseRecord } from "./release-record.ts";

/** Helm's own default timeout: as long as a `helm --wait` may work without writing anything. */
const defaultAbandonedAfterMs = 5 * 60_000;

/**
 * Nobody can tell a half-done operation that is at work from one whose process has died. Its record has the time when it began; what is older
 * than an operation may take counts as left behind, and so does what has no time.
 */
export class Patience {
  readonly #context: ReleaseContext;
  readonly #abandonedAfterMs: number;
  #state: string | undefined;
  /** Time of `elapsed` until which the job waits, in ms. */
  #untilMs = 0;

  constructor(context: ReleaseContext, abandonedAfterMs = defaultAbandonedAfterMs) {
    this.#context = context;
    this.#abandonedAfterMs = abandonedAfterMs;
  }

  /** Undefined: the operation on this revision was left behind. The record must be of the last history of the store. */
  waitFor(record: ReleaseRecord): ReleaseWait | undefined {
    const { store, cluster, name, namespace, now, elapsed } = this.#context;
    const { version, info } = record;
    const state = `${version} ${store.stateOf(record)}`;
    if (state !== this.#state) {
      this.#state = state;
      // Cap: a record from the future waits no longer than `abandonedAfterMs`. Reads the time of day only here, because the local clock can be set later.
      this.#untilMs = elapsed() + this.#abandonedAfterMs - Math.max(0, now() - beganAt(record));
    }
    const leftMs = this.#untilMs - elapsed();
    if (leftMs <= 0) return undefined;
    return {
      waitingFor: [
        `somebody else's operation on release ${namespace}/${name} to end (revision ${version} is ${info.status})`,
      ],
      awaited: [awaitObject(cluster, store.referenceTo(record))],
      lookAgainAfterMs: leftMs,
    };
  }
}

/** When the operation that a record is in began, in ms since the epoch: an uninstallation by the time of its own. */
function beganAt({ info }: ReleaseRecord): number {
  const began = Date.parse(info.status === "uninstalling" && info.deleted !== "" ? info.deleted : info.last_deployed);
  return Number.isNaN(began) ? Number.NEGATIVE_INFINITY : began;
}
