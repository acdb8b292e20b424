import type { JsonObject } from "../json-object.ts";
import { isJsonObject } from "../json-object.ts";
import { writtenFields } from "./compare-fields.ts";
import type { ManagedKind } from "./field-ownership.ts";
import { FieldVersionError, VersionedChanges, ownableFields, storedEntries } from "./field-ownership.ts";
import type { FieldSet } from "./field-set.ts";
import { isEmptySet, unionSets } from "./field-set.ts";
import type { ManagedFieldsEntry, Writer } from "./managed-entries.ts";
import { arrangeEntries, isEntryOf, isReset, makeEntry, readManagedFields } from "./managed-entries.ts";

/** A create, update or patch. */
export interface TrackedWrite {
  readonly kind: ManagedKind;
  readonly writer: Writer;
  /** Undefined: the object is created. */
  readonly live: JsonObject | undefined;
  /** As it was sent, decoded and with defaults. */
  readonly object: JsonObject;
}

/**
 * The managed fields of an object after a write that is no apply: whoever changes a field owns it alone. An object that nobody tracks, e.g. after its
 * list was reset, stays so until it is applied. The live list itself is answered when nothing changes.
 */
export function trackUpdate({ kind, writer, live, object }: TrackedWrite): readonly ManagedFieldsEntry[] {
  const entries = entriesBefore({ writer, live, object });
  if (live !== undefined && entries.length === 0) return [];
  const changes = new VersionedChanges(kind, { from: live ?? kind.empty, to: object });
  try {
    return track({ entries, writer, changes, ignored: kind.ignored });
  } catch (error) {
    // As the real server: what cannot be told in a version that somebody uses is tracked no more.
    if (error instanceof FieldVersionError) return [];
    throw error;
  }
}

/** A client may write the list itself; a list that says nothing, or nothing that makes sense, changes nothing. */
function entriesBefore({ writer, live, object }: Omit<TrackedWrite, "kind">): readonly ManagedFieldsEntry[] {
  const stored = live === undefined ? [] : storedEntries(live);
  const { metadata } = object;
  const given = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  if ((writer.subresource ?? "") !== "" || given === undefined || given === stored) return stored;
  if (isReset(given)) return [];
  const read = readManagedFields(given);
  return read === undefined || read.length === 0 ? stored : read;
}

interface Tracking {
  readonly entries: readonly ManagedFieldsEntry[];
  readonly writer: Writer;
  readonly changes: VersionedChanges;
  readonly ignored: FieldSet;
}

function track({ entries, writer, changes, ignored }: Tracking): readonly ManagedFieldsEntry[] {
  const written = ownableFields(writtenFields(changes.own(writer)), ignored);
  const kept = entries.flatMap((entry) => changes.survivorsOf(entry));
  if (isEmptySet(written)) {
    const isSame = kept.length === entries.length && kept.every((entry, i) => entry === entries[i]);
    return isSame ? entries : arrangeEntries(kept);
  }
  const own = kept.find((entry) => isEntryOf(entry, writer));
  const others = kept.filter((entry) => entry !== own);
  const fields = own === undefined ? written : unionSets(written, own.fieldsV1);
  return arrangeEntries([...others, makeEntry(writer, fields, writer.now)]);
}
