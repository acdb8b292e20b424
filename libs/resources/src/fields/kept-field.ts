import type { UnstructuredObject } from "@landscaper/api";
import { cloneJson, cloneObject } from "@landscaper/patch";
import { defineField, fieldAt, isJsonObject } from "../json-value.ts";

/** Steps from the top of an object: keys of maps, and indexes of lists. */
export type FieldPath = readonly (string | number)[];

/** Field of the target that a write must not change: a kept field. */
export interface KeptField {
  /** In the manifest. Empty: the whole object. */
  readonly path: FieldPath;
  /** The value on the target; undefined: the field does not exist there. */
  readonly value: unknown;
  /** Whether only a replacement would remove the value; an apply or a merge keeps it. */
  readonly isAddition?: boolean | undefined;
}

/** Whether the fields include the whole object. */
export function keepsAll(fields: readonly KeptField[]): boolean {
  return fields.some(({ path }) => path.length === 0);
}

export interface ApplyingItem {
  readonly manifest: UnstructuredObject;
  readonly live: UnstructuredObject;
  /** The field managers of the item. */
  readonly managers: readonly string[];
}

/**
 * Returns what a server-side apply states of the fields. It leaves out what another manager owns, so that the item neither owns the field nor
 * conflicts with the owner. It states the live value of what the item owns alone: otherwise the API server would remove the field.
 */
export function appliedFields(
  { manifest, live, managers }: ApplyingItem,
  fields: readonly KeptField[],
): readonly KeptField[] {
  return fields.flatMap((field) => {
    if (field.isAddition === true) return [];
    const owners = ownersOf(live, field.path);
    if (owners.some((owner) => !managers.includes(owner))) return [{ ...field, value: undefined }];
    return owners.length > 0 || valueAt(manifest, field.path) !== undefined ? [field] : [];
  });
}

/** The managers that own exactly this field. Fields of list items are not found: the API server names them by their keys. */
function ownersOf({ metadata }: UnstructuredObject, path: FieldPath): readonly string[] {
  const { managedFields } = metadata;
  const entries: readonly unknown[] = Array.isArray(managedFields) ? managedFields : [];
  const steps = path.map((step) => `f:${step}`);
  return entries.flatMap((entry) => {
    const found = fieldAt(entry, "fieldsV1", ...steps);
    const manager = fieldAt(entry, "manager");
    const isLeaf = isJsonObject(found) && Object.keys(found).length === 0;
    return isLeaf && typeof manager === "string" ? [manager] : [];
  });
}

/**
 * Returns a copy of the manifest with the target's values of the fields. A field of a list item is set only if the manifest has the item.
 * Without fields, returns the manifest itself.
 */
export function withKeptFields(manifest: UnstructuredObject, fields: readonly KeptField[]): UnstructuredObject {
  if (fields.length === 0) return manifest;
  const result = cloneObject(manifest);
  for (const { path, value } of fields) setField(result, path, value);
  return result;
}

/** Returns the value at a path; undefined if a step does not exist. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(memberOf, value);
}

function setField(target: unknown, [step, ...rest]: FieldPath, value: unknown): void {
  if (step === undefined) return;
  if (typeof step === "number") {
    if (!Array.isArray(target) || memberOf(target, step) === undefined) return;
    if (rest.length > 0) setField(target[step], rest, value);
    else if (value !== undefined) target[step] = cloneJson(value);
    return;
  }
  if (!isJsonObject(target)) return;
  if (rest.length > 0) {
    // Templates leave maps without entries as null.
    const isMissing = (memberOf(target, step) ?? undefined) === undefined;
    if (isMissing && value !== undefined && typeof rest[0] === "string") defineField(target, step, {});
    setField(memberOf(target, step), rest, value);
  } else if (value === undefined) Reflect.deleteProperty(target, step);
  else defineField(target, step, cloneJson(value));
}

function memberOf(value: unknown, step: string | number): unknown {
  if (typeof step === "number") return Array.isArray(value) ? (value as readonly unknown[])[step] : undefined;
  return fieldAt(value, step);
}
