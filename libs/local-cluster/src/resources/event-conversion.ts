import type { UnstructuredObject } from "@landscaper/api";

/** Field of core/v1 Event -> the same field of events.k8s.io/v1 Event. */
const names: readonly (readonly [core: string, current: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];

/** core/v1 Event, the stored form, to events.k8s.io/v1. */
export function toCurrentEvent(event: UnstructuredObject): UnstructuredObject {
  return rename(event, new Map(names));
}

/** events.k8s.io/v1 Event to core/v1. */
export function toCoreEvent(event: UnstructuredObject): UnstructuredObject {
  return rename(event, new Map(names.map(([core, current]) => [current, core])));
}

function rename(event: UnstructuredObject, mapping: ReadonlyMap<string, string>): UnstructuredObject {
  const fields = Object.entries(event).map(([name, value]) => [mapping.get(name) ?? name, value] as const);
  return {
    ...Object.fromEntries(fields),
    apiVersion: event.apiVersion,
    kind: event.kind,
    metadata: event.metadata,
  };
}
