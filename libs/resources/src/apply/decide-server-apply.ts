import { annotations } from "@landscaper/api";
import type { UnstructuredObject } from "@landscaper/api";
import type { JsonPatchOperation } from "@landscaper/patch";
import type { ApplyDecision } from "./decide-apply.ts";
import { fieldAt, isJsonObject } from "../json-value.ts";
import { handOverFields, type FieldManagers } from "./managed-fields.ts";
import { ownerAnnotationKeys, ownerAnnotations, type OwnerLabel } from "../cluster/owner-label.ts";
import { dropServerFields } from "./required-fields.ts";
import { encodeStringData } from "./string-data.ts";

export type JsonPatch = readonly JsonPatchOperation[];

export interface ServerApplyInput {
  /** The manifest with our labels. */
  readonly desired: UnstructuredObject;
  /** The object that is there, when it was looked at. */
  readonly live?: UnstructuredObject | undefined;
  /** The object is to be made: an apply that meets one is refused as a conflict. */
  readonly isNew?: boolean | undefined;
  /** Uid of an object that was not looked at. */
  readonly uid?: string | undefined;
  readonly managers?: FieldManagers | undefined;
  /** The apply is refused as a conflict if the object has changed since it was read: `desired` has values of `live`. */
  readonly isGuarded?: boolean | undefined;
  /** The item that the object is taken from, when it is. */
  readonly adoption?: { readonly from: string; readonly by: OwnerLabel } | undefined;
}

/**
 * No object has this version: the first write of a cluster is none of ours. The API server ignores it when it makes an object, and
 * refuses the apply when there is one.
 */
const noVersion = "1";

/**
 * A server-side apply of exactly what the manifest says. With the uid it can only meet the object that it is meant for. What we
 * wrote by other strategies is handed over to the apply first, so that nothing of it is left behind.
 */
export function decideServerApply(input: ServerApplyInput): Extract<ApplyDecision, { readonly type: "apply" }> {
  const { desired, live } = input;
  const uid = live?.metadata.uid ?? input.uid;
  const body = encodeStringData(dropServerFields(desired));
  if (uid !== undefined) body.metadata.uid = uid;
  if (input.isNew === true) {
    body.metadata.resourceVersion = noVersion;
    return { type: "apply", body, isNew: true };
  }
  const prepare = live === undefined ? [] : preparation(live, input);
  // A preparation changes the version, and is guarded itself.
  const version = live?.metadata.resourceVersion;
  if (input.isGuarded === true && prepare.length === 0 && version !== undefined)
    body.metadata.resourceVersion = version;
  return { type: "apply", body, ...(prepare.length === 0 ? {} : { prepare }) };
}

function preparation(live: UnstructuredObject, { managers, adoption }: ServerApplyInput): JsonPatch {
  const isAdopted = adoption !== undefined;
  const managedFields = managers === undefined ? undefined : handOverFields(live, managers, { isAdopted });
  const operations: JsonPatchOperation[] = [
    ...(managedFields === undefined
      ? []
      : [{ op: "replace" as const, path: "/metadata/managedFields", value: managedFields }]),
    ...(adoption === undefined ? [] : noteAdoption(live, adoption)),
  ];
  if (operations.length === 0) return [];
  // Guards the patch: the API server refuses it when the object has changed since.
  const { resourceVersion } = live.metadata;
  return [{ op: "replace", path: "/metadata/resourceVersion", value: resourceVersion }, ...operations];
}

function noteAdoption(
  live: UnstructuredObject,
  { from, by }: NonNullable<ServerApplyInput["adoption"]>,
): JsonPatchOperation[] {
  const path = "/metadata/annotations";
  const hasAnnotations = isJsonObject(fieldAt(live, "metadata", "annotations"));
  const notes = { ...ownerAnnotations(by), [annotations.adoptedFrom]: from };
  const stale = ownerAnnotationKeys.filter((key) => !(key in notes) && live.metadata.annotations?.[key] !== undefined);
  return [
    // What another item has by its annotation may lack the label: the apply brings it.
    ...(fieldAt(live, "metadata", "labels", by.key) === undefined
      ? []
      : [{ op: "replace" as const, path: `/metadata/labels/${escapeKey(by.key)}`, value: by.value }]),
    ...stale.map((key) => ({ op: "remove" as const, path: `${path}/${escapeKey(key)}` })),
    ...(hasAnnotations
      ? Object.entries(notes).map(([key, value]) => ({ op: "add" as const, path: `${path}/${escapeKey(key)}`, value }))
      : [{ op: "add" as const, path, value: notes }]),
  ];
}

/** A key as a step of a JSON pointer. */
function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
