import { keyOf, kubeResources, resources, type Secret } from "@landscaper/api";
import { deleteObject, ensureObject } from "../ensure-object.ts";
import { isDeleting } from "../object-reading.ts";
import type { MadeObjects, PlannedTarget } from "./plan-sync.ts";
import { isMade, mergeMade } from "./synced-objects.ts";
import type { SyncRun, TargetSyncContext } from "./target-sync-context.ts";

/** Everything that TargetSyncs have made in a namespace. */
export function listMade(context: Pick<TargetSyncContext, "targets" | "secrets">, namespace: string): MadeObjects {
  return {
    targets: context.targets.list({ namespace }).filter(isMade),
    secrets: context.secrets.list({ namespace }).filter(isMade),
  };
}

/** Writes a Target after its Secret, each only when it differs. */
export async function writeTarget(run: SyncRun, { target, secret }: PlannedTarget): Promise<void> {
  const { client, targets } = run.context;
  const { signal } = run;
  if (secret !== undefined) await writeSecret(run, secret);
  await ensureObject({ client, type: resources.target, lister: targets, desired: target, merge: mergeMade, signal });
}

async function writeSecret({ context, signal }: SyncRun, desired: Secret): Promise<void> {
  const { client, secrets } = context;
  const type = kubeResources.secret;
  const existing = secrets.get(keyOf(desired));
  // The type of a Secret cannot be changed.
  if (existing !== undefined && existing.type !== desired.type && isMade(existing)) {
    await deleteObject(client, { type, object: existing }, signal);
  }
  await ensureObject({ client, type, lister: secrets, desired, merge: mergeMade, signal });
}

/** Deletes Targets, then the Secrets that they point to. */
export async function deleteMade({ context, signal }: SyncRun, { targets, secrets }: MadeObjects): Promise<void> {
  const { client } = context;
  const goingTargets = targets.filter((object) => !isDeleting(object));
  await Promise.all(goingTargets.map((object) => deleteObject(client, { type: resources.target, object }, signal)));
  const goingSecrets = secrets.filter((object) => !isDeleting(object));
  await Promise.all(goingSecrets.map((object) => deleteObject(client, { type: kubeResources.secret, object }, signal)));
}
