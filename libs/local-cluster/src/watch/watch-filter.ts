import type { ResourceDefinition } from "../resources/resource-definition.ts";
import type { Selection } from "../rest/selection.ts";
import { isSelected } from "../rest/selection.ts";
import type { StoreEvent } from "../storage/event-history.ts";
import { StoredObject } from "../storage/stored-object.ts";

export type WatchEventType = "ADDED" | "MODIFIED" | "DELETED";

/** What one watch looks at; `namespace` "" is all of them. */
export interface WatchScope {
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  readonly selection: Selection;
}

/**
 * An event as a watch with selectors sees it: an object that starts to match is ADDED, one that ceases to match is DELETED
 * in its old state with the new resourceVersion. Undefined when the watch does not see the event at all.
 */
export function filterEvent(
  scope: WatchScope,
  event: StoreEvent,
): { readonly type: WatchEventType; readonly stored: StoredObject } | undefined {
  const { current, previous } = event;
  if (scope.namespace !== "" && current.namespace !== scope.namespace) return undefined;
  const isNow = event.type !== "DELETED" && matches(scope, current);
  const wasBefore = previous !== undefined && matches(scope, previous);
  if (isNow) return { type: wasBefore ? "MODIFIED" : "ADDED", stored: current };
  if (!wasBefore) return undefined;
  if (event.type === "DELETED") return { type: "DELETED", stored: current };
  const { object } = previous;
  const resourceVersion = String(event.revision);
  const left = { ...object, metadata: { ...object.metadata, resourceVersion } };
  return { type: "DELETED", stored: new StoredObject(left, event.revision) };
}

function matches({ definition, selection }: WatchScope, stored: StoredObject): boolean {
  if (selection.labels.length === 0 && selection.fields.length === 0) return true;
  return isSelected(definition, selection, definition.convert === undefined ? stored.object : stored.in(definition));
}
