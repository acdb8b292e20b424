import type { UnstructuredObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { ApplyDecision } from "./decide-apply.ts";
import type { UnstructuredType } from "../cluster/discovery.ts";
import { fieldConflictError, findFieldConflicts } from "./field-conflict.ts";
import { namesOf, type FieldManagers } from "./managed-fields.ts";
import { keyOfReference, referenceTo } from "../cluster/resource-reference.ts";

export interface ServerApplyCall {
  readonly client: Pick<Client, "patch">;
  readonly type: UnstructuredType;
  readonly managers: FieldManagers;
  /** Fields that are ours whoever has written them, as the API server names them: `.metadata.labels.KEY`. */
  readonly ownFields: readonly string[];
  /** What users can do about a conflict. Default: the hint of `fieldConflictError`. */
  readonly conflictHint?: string | undefined;
  /** The live object was not read: other items or the cluster may own its fields (`UnseenConflictError`). */
  readonly isUnseen?: boolean | undefined;
  /** Takes fields over that other managers have. */
  readonly force: boolean;
  readonly dryRun?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** The object must be read before the write: other managers own fields that the apply would change. */
export class UnseenConflictError extends Error {
  override readonly name = "UnseenConflictError";
}

/**
 * Applies on the server, after what has to be prepared. Fields that only other writes of ours own (such as patchAfterDeployment)
 * are no conflict, nor are our marks. Throws ApiError, and LandscaperError when fields belong to others.
 */
export async function applyOnServer(
  call: ServerApplyCall,
  { body, prepare, isNew }: Extract<ApplyDecision, { readonly type: "apply" }>,
): Promise<UnstructuredObject> {
  const { client, type, managers, dryRun, isUnseen = false, signal } = call;
  const key = keyOfReference(referenceTo(body), type.namespaced);
  if (prepare !== undefined) await client.patch(type, key, { type: "json", body: prepare, dryRun, signal });
  const apply = (force: boolean): Promise<UnstructuredObject> =>
    client.patch(type, key, { type: "apply", body, fieldManager: managers.manager, force, dryRun, signal });
  try {
    // Forced, an apply that is to make an object never gets as far as a conflict of fields: its version is refused before.
    return await apply((call.force && !isUnseen) || isNew === true);
  } catch (error) {
    const conflicts = findFieldConflicts(error);
    if (conflicts.length === 0) throw error;
    const names = new Set(namesOf(managers));
    const isOwn = (field: string): boolean => call.ownFields.includes(field);
    if (isUnseen && conflicts.some(({ manager, field }) => isOwn(field) || !names.has(manager))) {
      throw new UnseenConflictError();
    }
    if (call.force) return await apply(true);
    const others = conflicts.filter(({ manager, field }) => !names.has(manager) && !isOwn(field));
    if (others.length > 0) throw fieldConflictError(referenceTo(body), others, call.conflictHint);
    return await apply(true);
  }
}
