import type { UnstructuredObject } from "@landscaper/api";
import { defineField, fieldAt, isJsonObject, type JsonObject } from "./json-value.ts";

/** An entry of `metadata.managedFields`. */
type ManagedFieldsEntry = JsonObject;

export interface FieldManagers {
  /** Who applies from now on. */
  readonly manager: string;
  /** Names under which we wrote before with PUT and PATCH. */
  readonly former: readonly string[];
}

/**
 * The managedFields in which everything that our former names own by updates belongs to our apply: what the next apply leaves out
 * then vanishes. Undefined when there is nothing to hand over. An object whose owners nobody recorded is taken over as a whole.
 */
export function handOverFields(live: UnstructuredObject, { manager, former }: FieldManagers): JsonObject[] | undefined {
  const entries = managedFieldsOf(live);
  const names = new Set([manager, ...former, unrecorded]);
  const ours = entries.filter((entry) => isUpdateOf(entry, names));
  if (ours.length === 0) return undefined;
  const applied = entries.find((entry) => isApplyOf(entry, manager));
  const base = applied ?? {
    manager,
    operation: "Apply",
    apiVersion: live.apiVersion,
    time: ours.at(-1)?.["time"],
    fieldsType: "FieldsV1",
    fieldsV1: {},
  };
  const fieldsV1 = ours.reduce((fields, entry) => joinFields(fields, fieldsOf(entry)), fieldsOf(base));
  const others = entries.filter((entry) => entry !== applied && !ours.includes(entry));
  return [{ ...base, fieldsV1: withoutServerFields(fieldsV1) }, ...others];
}

/** Whom the API server names where nobody recorded owners before the first apply. */
const unrecorded = "before-first-apply";

export function managedFieldsOf(live: UnstructuredObject): ManagedFieldsEntry[] {
  const entries = fieldAt(live, "metadata", "managedFields");
  return Array.isArray(entries) ? entries.filter(isJsonObject) : [];
}

function isUpdateOf(entry: ManagedFieldsEntry, names: ReadonlySet<unknown>): boolean {
  return entry["operation"] === "Update" && !hasSubresource(entry) && names.has(entry["manager"]);
}

function isApplyOf(entry: ManagedFieldsEntry, manager: string): boolean {
  return entry["operation"] === "Apply" && !hasSubresource(entry) && entry["manager"] === manager;
}

/** A status that was written by the same name is no business of an apply. */
function hasSubresource(entry: ManagedFieldsEntry): boolean {
  const subresource = entry["subresource"];
  return subresource !== undefined && subresource !== "";
}

function fieldsOf(entry: ManagedFieldsEntry): JsonObject {
  const fields = entry["fieldsV1"];
  return isJsonObject(fields) ? fields : {};
}

/** The union of two sets of fields ("f:name", "k:{...}", "v:...", "."). */
function joinFields(left: JsonObject, right: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [a, b] = [fieldAt(left, key), fieldAt(right, key)];
    defineField(result, key, joinFields(isJsonObject(a) ? a : {}, isJsonObject(b) ? b : {}));
  }
  return result;
}

/** An apply never states the status; owning it would remove it. */
function withoutServerFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== "f:status"));
}
