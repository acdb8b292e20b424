import type { KubeObject, ResourceType } from "@landscaper/api";
import { ApiError, reflect, type Client, type Clock } from "@landscaper/controller-runtime";

/**
 * "standing": nothing that happens is missed. "lost": it broke and could not be set up again yet. "refused": the target does not
 * have or allow it.
 */
export type WatchState = "opening" | "standing" | "lost" | "refused";

/** A watch of one kind in one namespace or all; objects are looked at and dropped. */
export interface ScopeWatch {
  readonly state: WatchState;
  close(): void;
}

export interface ScopeWatchOptions {
  readonly client: Client;
  readonly type: ResourceType;
  /** Undefined: all, or none where the kind has none. */
  readonly namespace: string | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  /** Whether events bring objects without spec and status. */
  readonly metadataOnly: boolean;
  readonly onEvent: (type: "ADDED" | "MODIFIED" | "DELETED", object: KubeObject) => void;
  /** Also when a watch stands anew and may have missed something. */
  readonly onState: (watch: ScopeWatch, before: WatchState) => void;
}

const backoff = { baseMs: 200, maxMs: 5000 };
/** Of a watch that is not allowed: nobody is in a hurry, as everything goes on by polling. */
const refusedBackoff = { baseMs: 5000, maxMs: 120_000 };
/** Failed attempts in a row after which a broken watch counts as lost: until then it goes on where it was. */
const lostAfter = 2;

/** Watches until `close`, whatever fails. */
export function openScopeWatch(options: ScopeWatchOptions): ScopeWatch {
  const { client, type, namespace, metadataOnly, clock, random, onEvent, onState } = options;
  const closing = new AbortController();
  let state: WatchState = "opening";
  let failures = 0;
  let isAnew = true;
  const watch: ScopeWatch = {
    get state() {
      return state;
    },
    close: () => closing.abort(new Error("nobody waits for it any more")),
  };
  const enter = (next: WatchState): void => {
    const before = state;
    state = next;
    onState(watch, before);
  };
  void reflect<KubeObject>(
    {
      client,
      type,
      clock,
      random,
      selection: { namespace, metadataOnly },
      listsNothing: true,
      backoffOf: (error) => (isRefusal(error) ? refusedBackoff : backoff),
      onList: () => {
        isAnew = true;
      },
      onOpen: () => {
        failures = 0;
        if (state === "standing" && !isAnew) return;
        isAnew = false;
        enter("standing");
      },
      onEvent,
      onFailure: (error) => {
        failures++;
        if (isRefusal(error)) enter("refused");
        else if (failures >= lostAfter) enter("lost");
      },
    },
    closing.signal,
  );
  return watch;
}

/** No right to list or watch, no such kind (any more), or a kind that cannot be watched. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404, 405].includes(error.status);
}
