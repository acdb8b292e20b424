import type { UnstructuredObject } from "@landscaper/api";
import type { JsonPatchOperation } from "@landscaper/patch";
import type { ApplyDecision } from "./decide-apply.ts";
import { fieldAt, isJsonObject } from "./json-value.ts";
import { handOverFields, type FieldManagers } from "./managed-fields.ts";
import { adoptedFromAnnotation } from "./owner-label.ts";
import { dropServerFields } from "./required-fields.ts";

export type JsonPatch = readonly JsonPatchOperation[];

export interface ServerApplyInput {
  /** The manifest with our labels. */
  readonly desired: UnstructuredObject;
  /** The object that is there, when it was looked at. */
  readonly live?: UnstructuredObject | undefined;
  /** Uid of an object that was not looked at. */
  readonly uid?: string | undefined;
  readonly managers?: FieldManagers | undefined;
  /** The item that the object is taken from. */
  readonly adoptedFrom?: string | undefined;
}

/**
 * A server-side apply of exactly what the manifest says. With the uid it can only meet the object that it is meant for. What we
 * wrote by other strategies is handed over to the apply first, so that nothing of it is left behind.
 */
export function decideServerApply(input: ServerApplyInput): ApplyDecision {
  const { desired, live } = input;
  const uid = live?.metadata.uid ?? input.uid;
  const body = dropServerFields(desired);
  if (uid !== undefined) body.metadata.uid = uid;
  const prepare = live === undefined ? [] : preparation(live, input);
  return { type: "apply", body, ...(prepare.length === 0 ? {} : { prepare }) };
}

function preparation(live: UnstructuredObject, { managers, adoptedFrom }: ServerApplyInput): JsonPatch {
  const managedFields = managers === undefined ? undefined : handOverFields(live, managers);
  const operations: JsonPatchOperation[] = [
    ...(managedFields === undefined
      ? []
      : [{ op: "replace" as const, path: "/metadata/managedFields", value: managedFields }]),
    ...(adoptedFrom === undefined ? [] : noteAdoption(live, adoptedFrom)),
  ];
  if (operations.length === 0) return [];
  // Guards the patch: the API server refuses it when the object has changed since.
  const { resourceVersion } = live.metadata;
  return [{ op: "replace", path: "/metadata/resourceVersion", value: resourceVersion }, ...operations];
}

function noteAdoption(live: UnstructuredObject, adoptedFrom: string): JsonPatchOperation[] {
  const path = "/metadata/annotations";
  if (!isJsonObject(fieldAt(live, "metadata", "annotations"))) {
    return [{ op: "add", path, value: { [adoptedFromAnnotation]: adoptedFrom } }];
  }
  return [{ op: "add", path: `${path}/${adoptedFromAnnotation.replaceAll("/", "~1")}`, value: adoptedFrom }];
}
