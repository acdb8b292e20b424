import { awaitObject } from "@landscaper/resources";
import type { ReleaseContext, ReleaseWait } from "../release-context.ts";
import type { ReleaseRecord } from "./release-record.ts";

const defaultPatienceMs = 5000;

/**
 * Nobody can tell a half-done operation that is at work from one whose process has died. Somebody at work writes the record now and then; what
 * has not changed for some time counts as left behind. By our own clock alone, from when we have seen it first.
 */
export class Patience {
  readonly #context: ReleaseContext;
  readonly #patienceMs: number;
  #state: string | undefined;
  #sinceMs = 0;

  constructor(context: ReleaseContext, patienceMs = defaultPatienceMs) {
    this.#context = context;
    this.#patienceMs = patienceMs;
  }

  /** Undefined: the operation on this revision was left behind. The record must be of the last history of the store. */
  waitFor(record: ReleaseRecord): ReleaseWait | undefined {
    const { store, cluster, name, namespace, now } = this.#context;
    const state = `${record.version} ${store.stateOf(record)}`;
    if (state !== this.#state) {
      this.#state = state;
      this.#sinceMs = now();
    }
    const leftMs = this.#sinceMs + this.#patienceMs - now();
    if (leftMs <= 0) return undefined;
    const { version, info } = record;
    return {
      waitingFor: [
        `somebody else's operation on release ${namespace}/${name} to end (revision ${version} is ${info.status})`,
      ],
      awaited: [awaitObject(cluster, store.referenceTo(record))],
      lookAgainAfterMs: leftMs,
    };
  }
}
