import type { UnstructuredObject } from "@landscaper/api";
import { numberAt, stringAt } from "../objects/json.ts";
import { column, text, wideColumn } from "./column.ts";
import { formatAge } from "./format-age.ts";
import type { PrinterColumn } from "./printer-column.ts";

/** Columns of events of both groups. */
export const eventColumns: readonly PrinterColumn[] = [
  column("Last Seen", (event, now) => formatAge(lastSeen(event), now)),
  column("Type", text("type")),
  column("Reason", text("reason")),
  column("Object", (event) => {
    const regarding = event["involvedObject"] ?? event["regarding"];
    return `${stringAt(regarding, "kind").toLowerCase()}/${stringAt(regarding, "name")}`;
  }),
  wideColumn("Subobject", (event) => stringAt(event["involvedObject"] ?? event["regarding"], "fieldPath")),
  wideColumn("Source", source),
  column("Message", (event) => (stringAt(event, "message") || stringAt(event, "note")).trim()),
  wideColumn("First Seen", (event, now) => formatAge(firstSeen(event), now)),
  wideColumn("Count", (event) => {
    const count = numberAt(event, "series", "count") ?? numberAt(event, "count") ?? numberAt(event, "deprecatedCount");
    return String(count ?? 1);
  }),
  wideColumn("Name", (event) => event.metadata.name ?? ""),
];

function lastSeen(event: UnstructuredObject): string {
  return (
    stringAt(event, "lastTimestamp") ||
    stringAt(event, "deprecatedLastTimestamp") ||
    stringAt(event, "series", "lastObservedTime") ||
    firstSeen(event)
  );
}

function firstSeen(event: UnstructuredObject): string {
  return (
    stringAt(event, "firstTimestamp") ||
    stringAt(event, "deprecatedFirstTimestamp") ||
    stringAt(event, "eventTime") ||
    (event.metadata.creationTimestamp ?? "")
  );
}

function source(event: UnstructuredObject): string {
  const given = event["source"] ?? event["deprecatedSource"];
  const component =
    stringAt(given, "component") || stringAt(event, "reportingComponent") || stringAt(event, "reportingController");
  const instance = stringAt(given, "host") || stringAt(event, "reportingInstance");
  return [component, instance].filter((part) => part !== "").join(", ");
}
