import type { JsonObject } from "../json-object.ts";
import { isJsonObject } from "../json-object.ts";
import type { FieldChanges } from "./compare-fields.ts";
import { compareFields, writtenFields } from "./compare-fields.ts";
import type { FieldSchema } from "./field-schema.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldPath, isEmptySet, subtractSets, subtractTrees, unionSets } from "./field-set.ts";
import type { ManagedFieldsEntry, Writer } from "./managed-entries.ts";
import { formatTypeProblems, typeProblems } from "./validate-typed.ts";

/** One version of a kind. */
export interface ManagedVersion {
  readonly schema: FieldSchema;
  /** An object of any version of the kind in this one. */
  convert(object: JsonObject): JsonObject;
}

/** A kind as the request sees it. */
export interface ManagedKind {
  /** Of the request. */
  readonly version: ManagedVersion;
  /** A version by apiVersion; undefined when it is not there any more. */
  versionOf(apiVersion: string): ManagedVersion | undefined;
  /** Fields that this endpoint never writes, e.g. the status: nobody gets or loses them here. */
  readonly ignored: FieldSet;
  /** What an object of the kind is before anything is written to it: of built-in kinds the structures that are always there. */
  readonly empty: JsonObject;
}

/** Fields that nobody owns: identity, and what only the server sets. */
const unowned: FieldSet = [
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "creationTimestamp"],
  ["metadata", "selfLink"],
  ["metadata", "uid"],
  ["metadata", "clusterName"],
  ["metadata", "generation"],
  ["metadata", "managedFields"],
  ["metadata", "resourceVersion"],
].reduce<FieldSet>((set, names) => unionSets(set, fieldPath(...names)), {});

/** The fields of a set that somebody can own. */
export function ownableFields(set: FieldSet, ignored: FieldSet): FieldSet {
  return subtractSets(subtractTrees(set, ignored), unowned);
}

/** An object that does not fit a version in which a manager's fields are kept. */
export class FieldVersionError extends Error {
  override readonly name = "FieldVersionError";
}

/** Compares two objects in every version in which fields are kept, each once. */
export class VersionedChanges {
  readonly #kind: ManagedKind;
  readonly #from: JsonObject;
  readonly #to: JsonObject;
  readonly #known = new Map<string, FieldChanges | undefined>();

  constructor(kind: ManagedKind, { from, to }: { readonly from: JsonObject; readonly to: JsonObject }) {
    this.#kind = kind;
    this.#from = withoutManagedFields(from);
    this.#to = withoutManagedFields(to);
  }

  /** In the version of the request. */
  own({ apiVersion }: Writer): FieldChanges {
    const known = this.#known.get(apiVersion);
    if (known !== undefined) return known;
    const changes = this.#compare(this.#kind.version, this.#from, this.#to);
    this.#known.set(apiVersion, changes);
    return changes;
  }

  /** In the version of an entry; undefined when that is not there any more. Throws FieldVersionError. */
  of({ apiVersion }: ManagedFieldsEntry): FieldChanges | undefined {
    if (this.#known.has(apiVersion)) return this.#known.get(apiVersion);
    const version = this.#kind.versionOf(apiVersion);
    const changes =
      version === undefined
        ? undefined
        : this.#compare(version, convertTo(version, this.#from), convertTo(version, this.#to));
    this.#known.set(apiVersion, changes);
    return changes;
  }

  /** The entry without the fields that are other or gone now; nothing when none is left. Throws FieldVersionError. */
  survivorsOf(entry: ManagedFieldsEntry): readonly ManagedFieldsEntry[] {
    const changes = this.of(entry);
    if (changes === undefined) return [];
    const fields = subtractSets(entry.fieldsV1, unionSets(writtenFields(changes), changes.removed));
    if (isEmptySet(fields)) return [];
    return [fields === entry.fieldsV1 ? entry : { ...entry, fieldsV1: fields }];
  }

  #compare({ schema }: ManagedVersion, from: JsonObject, to: JsonObject): FieldChanges {
    const { added, modified, removed } = compareFields(schema, from, to);
    const { ignored } = this.#kind;
    return {
      added: subtractTrees(added, ignored),
      modified: subtractTrees(modified, ignored),
      removed: subtractTrees(removed, ignored),
    };
  }
}

/** Throws FieldVersionError when the object does not fit the other version. */
export function convertTo(version: ManagedVersion, object: JsonObject): JsonObject {
  const converted = version.convert(object);
  const problems = typeProblems(version.schema, converted);
  if (problems.length > 0) throw new FieldVersionError(formatTypeProblems(problems));
  return converted;
}

/** The list is no field that anybody owns, and comparing it would only cost time. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || !("managedFields" in metadata)) return object;
  const { managedFields: _managedFields, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** The list of an object, which this server has written: its entries need no check. */
export function storedEntries(object: JsonObject): readonly ManagedFieldsEntry[] {
  const { metadata } = object;
  const list = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  return Array.isArray(list) ? (list as readonly ManagedFieldsEntry[]) : []; // written by arrangeEntries
}
