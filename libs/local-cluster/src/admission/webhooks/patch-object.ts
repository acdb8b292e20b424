import type { UnstructuredObject } from "@landscaper/api";
import { PatchError, applyJsonPatch } from "@landscaper/patch";
import { internalError } from "../../status/status-error.ts";

/** Applies the JSON patch of a webhook. Throws StatusError 500 if it does not apply; the failure policy has no effect on this error. */
export function patchedObject(object: UnstructuredObject, operations: readonly unknown[]): unknown {
  try {
    return applyJsonPatch({ ...object }, operations);
  } catch (error) {
    if (error instanceof PatchError) throw internalError(error.message);
    throw error;
  }
}
