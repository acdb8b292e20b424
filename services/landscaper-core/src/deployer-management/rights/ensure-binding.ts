import { keyOf, type RoleBinding } from "@landscaper/api";
import { deleteObject, ensureObject, type EnsureOptions } from "../../ensure-object.ts";
import { isSameJson } from "../../is-same-json.ts";

/** Like `ensureObject`. A binding to another role, which cannot be changed, is replaced. */
export async function ensureBinding(options: EnsureOptions<RoleBinding>): Promise<void> {
  const { client, type, lister, desired, signal } = options;
  const cached = lister.get(keyOf(desired));
  if (cached !== undefined && !isSameJson(cached.roleRef, desired.roleRef)) {
    await deleteObject(client, { type, object: cached }, signal);
  }
  await ensureObject(options);
}
