import type { UnstructuredObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { ApplyDecision } from "./decide-apply.ts";
import type { UnstructuredType } from "./discovery.ts";
import { findFieldConflicts } from "./field-conflict.ts";
import type { FieldManagers } from "./managed-fields.ts";
import { keyOfReference, referenceTo } from "./resource-reference.ts";

export interface ServerApplyCall {
  readonly client: Pick<Client, "patch">;
  readonly type: UnstructuredType;
  readonly managers: FieldManagers;
  /** Takes fields over that other managers have. */
  readonly force: boolean;
  readonly dryRun?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * Applies on the server, after what has to be prepared. Fields that only other writes of ours own (such as patchAfterDeployment)
 * are no conflict. Throws ApiError.
 */
export async function applyOnServer(
  call: ServerApplyCall,
  { body, prepare }: Extract<ApplyDecision, { readonly type: "apply" }>,
): Promise<UnstructuredObject> {
  const { client, type, managers, dryRun, signal } = call;
  const key = keyOfReference(referenceTo(body), type.namespaced);
  if (prepare !== undefined) await client.patch(type, key, { type: "json", body: prepare, dryRun, signal });
  const apply = (force: boolean): Promise<UnstructuredObject> =>
    client.patch(type, key, { type: "apply", body, fieldManager: managers.manager, force, dryRun, signal });
  try {
    return await apply(call.force);
  } catch (error) {
    const conflicts = findFieldConflicts(error);
    const ours = new Set([managers.manager, ...managers.former]);
    if (conflicts.length === 0 || !conflicts.every(({ manager }) => ours.has(manager))) throw error;
    return await apply(true);
  }
}
