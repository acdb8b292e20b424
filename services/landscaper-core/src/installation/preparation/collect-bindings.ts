import { labels, sensitivePathsOf, type DataObject, type JsonPath, type Target } from "@landscaper/api";
import type { RenderExportsOptions } from "@landscaper/blueprint";
import { labelOf } from "../../object-reading.ts";

/**
 * Export bindings `dataobjects` and `targets`: whatever is in the Installation's own scope, by key label; elements of lists and maps
 * share a key, the last one wins (core.md §3.7).
 */
export function collectScopeBindings(
  dataObjects: readonly DataObject[],
  targets: readonly Target[],
): Pick<RenderExportsOptions["bindings"], "dataObjects" | "targets"> {
  const keyOf = (object: DataObject | Target): string => labelOf(object, labels.dataKey) ?? "";
  return {
    dataObjects: Object.fromEntries(dataObjects.map((object) => [keyOf(object), object.data ?? null])),
    targets: Object.fromEntries(targets.map((target) => [keyOf(target), target])),
  };
}

/** What of the binding `dataobjects` is secret, by key. */
export function collectSensitivePaths(
  dataObjects: readonly DataObject[],
): Readonly<Record<string, readonly JsonPath[]>> {
  return Object.fromEntries(
    dataObjects.map((object) => [labelOf(object, labels.dataKey) ?? "", sensitivePathsOf(object.metadata)]),
  );
}

/** Whether the value can be read by item name: the export DataObject of an Execution holds a map. */
export function toItemExports(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return { ...value };
}
