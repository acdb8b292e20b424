import { isDeepEqual } from "../is-deep-equal.ts";
import type { JsonObject } from "../json-object.ts";
import { ApplyConflict } from "./apply-conflict.ts";
import type { ManagerConflict } from "./apply-conflict.ts";
import { appliedFields } from "./applied-fields.ts";
import type { FieldChanges } from "./compare-fields.ts";
import { writtenFields } from "./compare-fields.ts";
import type { ManagedKind } from "./field-ownership.ts";
import { VersionedChanges, convertTo, ownableFields, storedEntries, withoutManagedFields } from "./field-ownership.ts";
import type { FieldSet } from "./field-set.ts";
import { emptyFieldSet, intersectSets, isEmptySet, subtractTrees, unionSets } from "./field-set.ts";
import type { ManagedFieldsEntry, Writer } from "./managed-entries.ts";
import { arrangeEntries, isEntryOf, makeEntry } from "./managed-entries.ts";
import { mergeConfig } from "./merge-config.ts";
import { pruneFields } from "./prune-fields.ts";

/** A server-side apply. */
export interface AppliedConfig {
  readonly kind: ManagedKind;
  /** `operation` is Apply. */
  readonly writer: Writer;
  /** Undefined: the apply creates the object. */
  readonly live: JsonObject | undefined;
  /** The configuration, in the version of the request; its types were checked with `typeProblems`. */
  readonly config: JsonObject;
  /** Take fields from their owners instead of a conflict. */
  readonly force: boolean;
}

export interface AppliedResult {
  /** Without metadata.managedFields, before defaults. */
  readonly object: JsonObject;
  readonly managedFields: readonly ManagedFieldsEntry[];
  /** False when the live object already was what the configuration says. */
  readonly hasChanged: boolean;
}

/** Owns what an object had when it was first applied and nobody had tracked it. */
const beforeFirstApply = "before-first-apply";

/**
 * Merges a configuration into the live object: sets its fields, removes those that its manager applied before and nobody owns any more, and says who
 * owns what then. Throws ApplyConflict when others own a field with another value, unless forced; FieldVersionError as `convertTo`.
 */
export function applyConfig(applied: AppliedConfig): AppliedResult {
  const { kind, writer, config, force } = applied;
  const { schema } = kind.version;
  const live = withoutManagedFields(applied.live ?? kind.empty);
  const entries = entriesBefore(applied, live);
  const own = entries.find((entry) => isEntryOf(entry, writer));
  const others = entries.filter((entry) => entry !== own);
  const fields = subtractTrees(appliedFields(schema, config), kind.ignored);
  const merged = mergeConfig(schema, live, config);
  const object = prune({ kind, last: own, others, fields }, merged);
  const changes = new VersionedChanges(kind, { from: live, to: object });
  const conflicts = others.flatMap((entry) => findConflict(entry, changes.of(entry)));
  if (conflicts.length > 0 && !force) throw new ApplyConflict(conflicts);
  const kept = others.flatMap((entry) => changes.survivorsOf(entry));
  const ownable = ownableFields(fields, emptyFieldSet);
  // Another order of a list is a change, though nobody's field changes.
  const hasChanged = !isDeepEqual(object, live);
  const time = hasChanged ? writer.now : own?.time;
  const mine = isEmptySet(ownable) ? [] : [makeEntry(writer, ownable, time)];
  return { object: hasChanged ? object : live, managedFields: arrangeEntries([...kept, ...mine]), hasChanged };
}

/** An object that nobody has tracked belongs to a manager of that name for the time before. */
function entriesBefore({ kind, writer, live }: AppliedConfig, before: JsonObject): readonly ManagedFieldsEntry[] {
  if (live === undefined) return [];
  const stored = storedEntries(live);
  if (stored.length > 0) return stored;
  const untracked: Writer = { ...writer, manager: beforeFirstApply, operation: "Update" };
  const changes = new VersionedChanges(kind, { from: kind.empty, to: before });
  const fields = ownableFields(writtenFields(changes.own(untracked)), kind.ignored);
  return isEmptySet(fields) ? [] : [makeEntry(untracked, fields, writer.now)];
}

interface PruneRequest {
  readonly kind: ManagedKind;
  readonly last: ManagedFieldsEntry | undefined;
  readonly others: readonly ManagedFieldsEntry[];
  readonly fields: FieldSet;
}

/** Fields are pruned in the version in which the manager applied them the last time. */
function prune({ kind, last, others, fields }: PruneRequest, merged: JsonObject): JsonObject {
  if (last === undefined) return merged;
  const version = kind.versionOf(last.apiVersion);
  if (version === undefined) return merged;
  const owned = others.reduce((set, entry) => unionSets(set, entry.fieldsV1), fields);
  if (version === kind.version) return pruneFields(version.schema, merged, { last: last.fieldsV1, owned });
  const pruned = pruneFields(version.schema, convertTo(version, merged), { last: last.fieldsV1, owned });
  return kind.version.convert(pruned);
}

function findConflict(entry: ManagedFieldsEntry, changes: FieldChanges | undefined): readonly ManagerConflict[] {
  if (changes === undefined) return [];
  const fields = intersectSets(entry.fieldsV1, writtenFields(changes));
  return isEmptySet(fields) ? [] : [{ entry, fields }];
}
