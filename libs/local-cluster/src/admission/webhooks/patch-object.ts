import type { UnstructuredObject } from "@landscaper/api";
import { PatchError, applyJsonPatch } from "@landscaper/patch";
import { internalError } from "../../status/status-error.ts";

/** Applies the operations of a webhook's patch. Throws StatusError 500 if they do not apply, whatever the failure policy is. */
export function patchedObject(object: UnstructuredObject, operations: readonly unknown[]): unknown {
  try {
    return applyJsonPatch({ ...object }, operations);
  } catch (error) {
    if (error instanceof PatchError) throw internalError(error.message);
    throw error;
  }
}
