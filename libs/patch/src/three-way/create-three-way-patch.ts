import type { JsonObject } from "../json-object.ts";
import { createMergePatch } from "../merge-patch.ts";
import { strategicFieldsOf } from "../strategic-schema.ts";
import { diffObjects } from "./diff-objects.ts";
import { presentIn } from "./present-in.ts";
import { joinPatches, joinMergePatches } from "./join-patches.ts";

/** The three states that a patch is made of. */
export interface ThreeStates {
  /** As it was applied last: what is in there and no longer in `modified` is removed. */
  readonly original: JsonObject;
  /** As it shall be. */
  readonly modified: JsonObject;
  /** As it is. */
  readonly current: JsonObject;
}

/** A patch and how to send it. */
export interface ThreeWayPatch {
  readonly type: "strategic" | "merge";
  /** `{}` when there is nothing to do. It may share with the states: it is for reading. */
  readonly body: JsonObject;
}

/**
 * The patch that kubectl and Helm 3 make: fields of `modified` that `current` has otherwise, and the removal of what has left since
 * `original`; what others have added stays. Strategic for built-in kinds, so that lists merge by their keys, a JSON merge patch for
 * others.
 */
export function createThreeWayPatch(
  { original, modified, current }: ThreeStates,
  type: { readonly apiVersion: string; readonly kind: string },
): ThreeWayPatch {
  const fields = strategicFieldsOf(type.apiVersion, type.kind);
  if (fields === undefined) {
    const changes = createMergePatch(current, modified);
    const removals = createMergePatch(presentIn(original, current, {}), modified);
    return { type: "merge", body: joinMergePatches({ changes, removals }) };
  }
  const changes = diffObjects(current, modified, { fields, parts: "changes" });
  const removals = diffObjects(presentIn(original, current, fields), modified, { fields, parts: "removals" });
  return { type: "strategic", body: joinPatches(removals, changes, fields) };
}
