import { compareTexts } from "../compare-texts.ts";
import { isJsonObject } from "../json-object.ts";
import type { FieldSet } from "./field-set.ts";
import { isEmptySet, parseFieldsV1, unionSets } from "./field-set.ts";

/** One entry of metadata.managedFields. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  /** The version in which the fields are meant. */
  readonly apiVersion: string;
  /** RFC 3339 in seconds; absent when the manager has not changed anything yet. */
  readonly time?: string;
  readonly fieldsType: "FieldsV1";
  readonly fieldsV1: FieldSet;
  readonly subresource?: string;
}

/** Who writes, and when. */
export type Writer = Pick<ManagedFieldsEntry, "manager" | "operation" | "apiVersion" | "subresource"> & {
  /** RFC 3339 in seconds. */
  readonly now: string;
};

/** Update entries that are kept apart; older ones are put together under {@link ancientChanges}. */
const maxUpdateEntries = 10;
const ancientChanges = "ancient-changes";

/** Reads a list that a client sent. Undefined when one of its entries is none. */
export function readManagedFields(list: unknown): readonly ManagedFieldsEntry[] | undefined {
  if (!Array.isArray(list)) return [];
  const entries: ManagedFieldsEntry[] = [];
  for (const item of list) {
    const entry = readEntry(item);
    if (entry === undefined) return undefined;
    if (!isEmptySet(entry.fieldsV1)) entries.push(entry);
  }
  return entries;
}

function readEntry(item: unknown): ManagedFieldsEntry | undefined {
  if (!isJsonObject(item)) return undefined;
  const { manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource } = item;
  if ((operation !== "Apply" && operation !== "Update") || fieldsType !== "FieldsV1") return undefined;
  const fields = parseFieldsV1(fieldsV1 ?? {});
  if (fields === undefined) return undefined;
  return {
    manager: textOf(manager) ?? "",
    operation,
    apiVersion: textOf(apiVersion) ?? "",
    ...(textOf(time) === undefined ? {} : { time: String(time) }),
    fieldsType,
    fieldsV1: fields,
    ...(textOf(subresource) === undefined ? {} : { subresource: String(subresource) }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether a list says that nobody shall own anything: an empty list, or one with a single empty entry. */
export function isReset(list: unknown): boolean {
  if (!Array.isArray(list)) return false;
  if (list.length === 0) return true;
  const [first] = list as readonly unknown[];
  return list.length === 1 && isJsonObject(first) && Object.keys(first).length === 0;
}

/** Appliers are the same in all versions, updaters are not. */
export function isEntryOf(entry: ManagedFieldsEntry, writer: Writer): boolean {
  return (
    entry.manager === writer.manager &&
    entry.operation === writer.operation &&
    (entry.subresource ?? "") === (writer.subresource ?? "") &&
    (entry.operation === "Apply" || entry.apiVersion === writer.apiVersion)
  );
}

export function makeEntry(writer: Writer, fields: FieldSet, time: string | undefined): ManagedFieldsEntry {
  const { manager, operation, apiVersion, subresource = "" } = writer;
  return {
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: fields,
    ...(subresource === "" ? {} : { subresource }),
  };
}

/** The entries as they are stored: in their order, and few. */
export function arrangeEntries(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  return putOldTogether(entries).toSorted(compareEntries);
}

function compareEntries(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  return (
    compareTexts(left.operation, right.operation) ||
    compareTexts(left.time ?? "", right.time ?? "") ||
    compareTexts(left.manager, right.manager) ||
    compareTexts(left.apiVersion, right.apiVersion) ||
    compareTexts(left.subresource ?? "", right.subresource ?? "")
  );
}

/** With too many Update entries the oldest of one version become one. */
function putOldTogether(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const updates = entries.filter(({ operation }) => operation === "Update").toSorted(compareEntries);
  let excess = updates.length - maxUpdateEntries;
  if (excess <= 0) return entries;
  const firsts = new Map<string, ManagedFieldsEntry>();
  const buckets = new Map<string, ManagedFieldsEntry>();
  const gone = new Set<ManagedFieldsEntry>();
  for (const entry of updates) {
    if (excess === 0) break;
    const first = firsts.get(entry.apiVersion);
    if (first === undefined) {
      firsts.set(entry.apiVersion, entry);
      continue;
    }
    const bucket = buckets.get(entry.apiVersion) ?? first;
    const { subresource: _subresource, ...merged } = { ...entry, manager: ancientChanges };
    buckets.set(entry.apiVersion, { ...merged, fieldsV1: unionSets(bucket.fieldsV1, entry.fieldsV1) });
    gone.add(first).add(entry);
    excess -= 1;
  }
  return [...entries.filter((entry) => !gone.has(entry)), ...buckets.values()];
}
