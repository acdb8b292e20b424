import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, setFieldAt } from "../json-value.ts";
import { groupOf } from "../cluster/resource-reference.ts";

/** Metadata that only the API server may write. */
const serverFields = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
] as const;

/** Fields of a kind that the API server fills and does not let anybody change. */
const immutableFields: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "batch/Job": [
    ["spec", "selector"],
    ["spec", "template", "metadata", "labels"],
  ],
  "/Service": [["spec", "clusterIP"]],
};

/**
 * Copies into `desired`, whose metadata and spec are its own, what a replacement of `live` must carry (deployers.md §3.4): server-side metadata, fields of Job and
 * Service that are immutable, and the status, which belongs to the object's controller.
 */
export function copyRequiredFields(desired: UnstructuredObject, live: UnstructuredObject): void {
  for (const field of serverFields) copyField(desired, live, ["metadata", field]);
  const kind = `${groupOf(desired.apiVersion)}/${desired.kind}`;
  const hasNoAddress = kind === "/Service" && fieldAt(desired, "spec", "type") === "ExternalName";
  for (const path of hasNoAddress ? [] : (immutableFields[kind] ?? [])) copyField(desired, live, path);
  if (fieldAt(desired, "status") === undefined) copyField(desired, live, ["status"]);
}

/**
 * A copy without what only the API server may write, and without the status, which belongs to the object's controller. Only its
 * metadata is its own.
 */
export function dropServerFields({ status: _status, ...object }: UnstructuredObject): UnstructuredObject {
  const dropped = new Set<string>(serverFields);
  const metadata = Object.entries(object.metadata).filter(([key, value]) => !dropped.has(key) && value !== null);
  return { ...object, metadata: Object.fromEntries(metadata) };
}

function copyField(desired: UnstructuredObject, live: UnstructuredObject, path: readonly string[]): void {
  const value = fieldAt(live, ...path);
  if (value !== undefined) setFieldAt(desired, path, value);
}
