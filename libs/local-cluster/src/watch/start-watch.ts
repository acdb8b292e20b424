import { selectObjects } from "../rest/list-objects.ts";
import type { RestContext, RestTarget } from "../rest/rest-context.ts";
import type { Status } from "../status/status-error.ts";
import { expired } from "../status/status-error.ts";
import type { StoreEvent } from "../storage/event-history.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { WatchEventType, WatchScope } from "./watch-filter.ts";
import { filterEvent } from "./watch-filter.ts";

/** Where a watch writes to; one call per line of the stream. */
export interface WatchSink {
  event(type: WatchEventType, stored: StoredObject): void;
  bookmark(revision: number, initialEventsEnd: boolean): void;
  error(status: Status): void;
}

export interface WatchRequest {
  readonly scope: WatchScope;
  /** undefined: "any, start with what is there" (resourceVersion absent or 0). */
  readonly from: number | undefined;
  readonly sendInitialEvents: boolean;
}

/**
 * Sends what has happened since `from` and then every event, in order; the returned function ends it. A start that has
 * been compacted is answered by one error event, as the real server does.
 */
export function startWatch(
  context: RestContext,
  { scope, from, sendInitialEvents }: WatchRequest,
  sink: WatchSink,
): () => void {
  const { storage } = scope.definition;
  const forward = (event: StoreEvent): void => {
    const seen = filterEvent(scope, event);
    if (seen !== undefined) sink.event(seen.type, seen.stored);
  };
  if (from === undefined || sendInitialEvents) {
    for (const stored of selectObjects(context, targetOf(scope), scope.selection)) sink.event("ADDED", stored);
    if (sendInitialEvents) sink.bookmark(context.store.revision, true);
  } else {
    const history = context.store.history(storage);
    const missed = history.since(from);
    if (missed === undefined) {
      sink.error(expired(`too old resource version: ${from} (${history.oldest})`).status);
      return () => undefined;
    }
    for (const event of missed) forward(event);
  }
  // A watch may start in the future: it then sees nothing before that revision.
  const first = from ?? 0;
  return context.store.subscribe(storage, (event) => {
    if (event.revision > first) forward(event);
  });
}

function targetOf({ definition, namespace }: WatchScope): RestTarget {
  return { definition, namespace, name: "", subresource: "", user: { name: "", groups: [] } };
}
