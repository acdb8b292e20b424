import { annotations } from "@landscaper/api";
import type { UnstructuredObject } from "@landscaper/api";
import { emptyFieldSet, parseFieldsV1, unionSets, type FieldSet } from "@landscaper/patch";
import { fieldAt, isJsonObject, type JsonObject } from "../json-value.ts";

/** An entry of `metadata.managedFields`. */
type ManagedFieldsEntry = JsonObject;

export interface FieldManagers {
  /** Who applies from now on. */
  readonly manager: string;
  /** Names under which we wrote before with PUT and PATCH. */
  readonly former: readonly string[];
  /** Names under which we applied before. */
  readonly formerApplies?: readonly string[] | undefined;
  /** Names of former writers with PUT and PATCH whose fields are ours on objects that are the item's by a mark or label, and on no others. */
  readonly formerOfOwned?: readonly string[] | undefined;
  /** How the names of all items begin under which they apply: theirs is handed over when an object is adopted. */
  readonly family?: string | undefined;
}

/**
 * Field managers of the original's binaries: by default, the API server and Helm name a writer after its program. An item that the original has
 * deployed has fields of these managers.
 */
export const originalManagers: readonly string[] = [
  "helm-deployer-controller",
  "manifest-deployer-controller",
  "container-deployer-controller",
  "landscaper-controller",
  "landscaper-agent",
];

/** Returns the managers for one object. `isOwned`: whether the object is the item's by a mark or label. */
export function managersFor(managers: FieldManagers, isOwned: boolean): FieldManagers {
  const { formerOfOwned = [], ...others } = managers;
  if (formerOfOwned.length === 0) return managers;
  return isOwned ? { ...others, former: [...others.former, ...formerOfOwned] } : others;
}

/** The names under which the item writes or has written. */
export function namesOf({ manager, former, formerApplies = [] }: FieldManagers): readonly string[] {
  return [manager, ...former, ...formerApplies];
}

export interface HandOverOptions {
  /** Whether the object is taken from another item. */
  readonly isAdopted?: boolean;
}

/**
 * The managedFields in which everything that our former names own belongs to our apply: what the next apply leaves out
 * then vanishes. Undefined when there is nothing to hand over. An object whose owners nobody recorded is taken over as a whole.
 */
export function handOverFields(
  live: UnstructuredObject,
  { manager, former, formerApplies = [], family }: FieldManagers,
  { isAdopted = false }: HandOverOptions = {},
): JsonObject[] | undefined {
  const entries = managedFieldsOf(live);
  const names = new Set<unknown>([manager, ...former, unrecorded]);
  const applies = new Set<unknown>(formerApplies);
  const isOtherItem = (name: unknown): boolean =>
    isAdopted && family !== undefined && typeof name === "string" && name.startsWith(family) && name !== manager;
  const isOurs = (entry: ManagedFieldsEntry): boolean =>
    isUpdateOf(entry, (name) => names.has(name)) || isApplyOf(entry, (name) => isOtherItem(name) || applies.has(name));
  const ours = entries.filter((entry) => isOurs(entry) && Object.keys(transferable(entry)).length > 0);
  if (ours.length === 0) return undefined;
  const applied = entries.find((entry) => isApplyOf(entry, (name) => name === manager));
  const base: ManagedFieldsEntry = applied ?? {
    manager,
    operation: "Apply",
    apiVersion: live.apiVersion,
    time: ours.at(-1)?.["time"],
    fieldsType: "FieldsV1",
  };
  const fieldsV1 = ours.reduce<FieldSet>((fields, entry) => unionSets(fields, transferable(entry)), fieldsOf(base));
  const others = entries.filter((entry) => entry !== applied && !ours.includes(entry));
  return [{ ...base, fieldsV1 }, ...ours.flatMap(remainder), ...others];
}

/** Whom the API server names where nobody recorded owners before the first apply. */
const unrecorded = "before-first-apply";

function managedFieldsOf(live: UnstructuredObject): ManagedFieldsEntry[] {
  const entries = fieldAt(live, "metadata", "managedFields");
  return Array.isArray(entries) ? entries.filter(isJsonObject) : [];
}

type NameRule = (name: unknown) => boolean;

function isUpdateOf(entry: ManagedFieldsEntry, rule: NameRule): boolean {
  return entry["operation"] === "Update" && !hasSubresource(entry) && rule(entry["manager"]);
}

function isApplyOf(entry: ManagedFieldsEntry, rule: NameRule): boolean {
  return entry["operation"] === "Apply" && !hasSubresource(entry) && rule(entry["manager"]);
}

/** A status that was written by the same name is no business of an apply. */
function hasSubresource(entry: ManagedFieldsEntry): boolean {
  const subresource = entry["subresource"];
  return subresource !== undefined && subresource !== "";
}

function fieldsOf(entry: ManagedFieldsEntry): FieldSet {
  return parseFieldsV1(entry["fieldsV1"]) ?? emptyFieldSet;
}

const notePath = ["f:metadata", "f:annotations", `f:${annotations.adoptedFrom}`] as const;

/** What an apply may own of an entry. It states neither the status nor the note of an adoption: owning them would remove them. */
function transferable(entry: ManagedFieldsEntry): FieldSet {
  return withoutField(withoutField(fieldsOf(entry), ["f:status"]), notePath);
}

/** The note of an adoption stays with whom it was. */
function remainder(entry: ManagedFieldsEntry): ManagedFieldsEntry[] {
  if (fieldAt(fieldsOf(entry), ...notePath) === undefined) return [];
  const [metadata, annotations, note] = notePath;
  return [{ ...entry, fieldsV1: { [metadata]: { [annotations]: { ".": {}, [note]: {} } } } }];
}

function withoutField(fields: FieldSet, [key, ...rest]: readonly string[]): FieldSet {
  if (key === undefined || !Object.hasOwn(fields, key)) return fields;
  const { [key]: member, ...others } = fields;
  if (rest.length === 0 || member === undefined) return others;
  const left = withoutField(member, rest);
  // What is left of a map without members would stand for the whole of the map.
  const isEmpty = Object.keys(left).every((step) => step === ".");
  return isEmpty ? others : { ...others, [key]: left };
}
