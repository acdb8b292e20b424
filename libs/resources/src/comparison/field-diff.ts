import type { UnstructuredObject } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import { isJsonObject, type JsonObject } from "../json-value.ts";

/** A difference between two forms of an object. */
export interface FieldChange {
  /** As kubectl writes paths: `.spec.replicas`, `.spec.containers[name=main].image`, `.metadata.labels["app.io/name"]`. */
  readonly path: string;
  readonly type: "added" | "changed" | "removed";
  /** Absent when the field was added. */
  readonly from?: unknown;
  /** Absent when the field was removed. */
  readonly to?: unknown;
}

/** Metadata that tells nothing about what anybody wants. */
const bookkeeping = new Set([
  "managedFields",
  "resourceVersion",
  "generation",
  "uid",
  "creationTimestamp",
  "selfLink",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
]);

/**
 * What changes from one form of an object to another, without its status and the bookkeeping of the API server. Undefined stands
 * for an object that is not there.
 */
export function diffObjects(from: UnstructuredObject | undefined, to: UnstructuredObject | undefined): FieldChange[] {
  return diffMaps("", comparable(from), comparable(to));
}

function comparable(object: UnstructuredObject | undefined): JsonObject {
  if (object === undefined) return {};
  const { status: _status, apiVersion: _version, kind: _kind, metadata, ...rest } = object;
  const kept = Object.entries(metadata).filter(
    ([key]) => !bookkeeping.has(key) && key !== "name" && key !== "namespace",
  );
  return kept.length === 0 ? rest : { ...rest, metadata: Object.fromEntries(kept) };
}

function diffMaps(path: string, from: JsonObject, to: JsonObject): FieldChange[] {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return keys.flatMap((key) => {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    const after = Object.hasOwn(to, key) ? to[key] : undefined;
    return diffValues(`${path}${formatStep(key)}`, before, after);
  });
}

function diffValues(path: string, from: unknown, to: unknown): FieldChange[] {
  if (isDeepEqual(from, to)) return [];
  if (isMapOrAbsent(from) && isMapOrAbsent(to)) {
    // An empty map that comes or goes is no change that anybody means.
    return diffMaps(path, from ?? {}, to ?? {});
  }
  const [fromItems, toItems] = [namedItems(from), namedItems(to)];
  if (fromItems !== undefined && toItems !== undefined) {
    const names = [...new Set([...fromItems.keys(), ...toItems.keys()])];
    const items = names.flatMap((name) => diffValues(`${path}[name=${name}]`, fromItems.get(name), toItems.get(name)));
    return items.length > 0 ? items : [{ path, type: "changed", from, to }];
  }
  if (from === undefined) return [{ path, type: "added", to }];
  return to === undefined ? [{ path, type: "removed", from }] : [{ path, type: "changed", from, to }];
}

function isMapOrAbsent(value: unknown): value is JsonObject | undefined {
  return value === undefined || isJsonObject(value);
}

/** Items of a list that have names, such as containers; undefined when a comparison by name would not be right. */
function namedItems(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const items = new Map<string, unknown>();
  for (const item of value) {
    const name: unknown = isJsonObject(item) ? item["name"] : undefined;
    if (typeof name !== "string" || items.has(name)) return undefined;
    items.set(name, item);
  }
  return items;
}

function formatStep(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
