import {
  annotations,
  buildItemSecret,
  conditionTypes,
  environmentsMarkOf,
  exportSecretName,
  keyOf,
  kubeResources,
  planSecretName,
  resources,
  type DeployItem,
  type Secret,
} from "@landscaper/api";
import { isConflict, isNotFound, type Client, type EventRecorder } from "@landscaper/controller-runtime";
import { nameOf, namespaceOf } from "../../object-reading.ts";

export interface Sweep {
  readonly client: Client;
  readonly recorder: EventRecorder;
  /** Called for each Secret that was emptied or deleted. */
  readonly onRemoved: () => void;
}

const blockedReasons: ReadonlySet<string> = new Set(["ExportSecretForeign", "PlanSecretForeign"]);

/** Whether the deployer of the item reports that it cannot write one of the item's Secrets. Pure. */
export function isBlocked({ status }: DeployItem): boolean {
  const planned = status?.conditions?.find(({ type }) => type === conditionTypes.planned);
  return [status?.lastError?.reason, planned?.reason].some((reason) => blockedReasons.has(reason ?? ""));
}

/**
 * Empties a Secret with the name of the item's exports or plan if its mark differs from the item's mark, and gives it mark and owner of the item. The
 * item's deployer can then write it, and the policies refuse other Environments (docs/reference/deployer-management.md#secrets-of-a-deployitem). After a
 * deletion, the other Environment could create it again before the deployer does. A Secret without a mark stays, because no Environment account can
 * have written it.
 */
export async function sweepSecrets(sweep: Sweep, cached: DeployItem, signal: AbortSignal): Promise<void> {
  const place = { namespace: namespaceOf(cached), name: nameOf(cached) };
  const item = await sweep.client.find(resources.deployItem, place, { signal });
  if (item === undefined) return;
  for (const name of [exportSecretName(nameOf(item)), planSecretName(nameOf(item))]) {
    await sweepSecret(sweep, { item, name }, signal);
  }
}

/** Overwrites the Secret with an empty one of the item. Deletes it if it is immutable or has another type. Throws ApiError. */
async function takeOver(
  client: Client,
  { item, secret }: { readonly item: DeployItem; readonly secret: Secret },
  signal: AbortSignal,
): Promise<"emptied" | "deleted"> {
  const { uid = "", resourceVersion = "" } = secret.metadata;
  const { type = "Opaque", immutable } = secret;
  if (type !== "Opaque" || immutable === true) {
    await client.delete(kubeResources.secret, keyOf(secret), { uid, resourceVersion, signal });
    return "deleted";
  }
  // Without a resourceVersion: the other account could change the Secret again and again, but cannot write it afterwards.
  const owned = buildItemSecret(item, { metadata: { name: nameOf(secret), uid } });
  await client.update(kubeResources.secret, owned, { signal });
  return "emptied";
}

async function sweepSecret(
  { client, recorder, onRemoved }: Sweep,
  { item, name }: { readonly item: DeployItem; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace: namespaceOf(item), name };
  const secret = await client.find(kubeResources.secret, key, { signal });
  if (secret === undefined) return;
  const mark = environmentsMarkOf(secret);
  if (mark === undefined || mark === environmentsMarkOf(item)) return;
  let outcome: "emptied" | "deleted";
  try {
    outcome = await takeOver(client, { item, secret }, signal);
  } catch (error) {
    // A concurrent write or deletion: the deployer reports again if the Secret still blocks it.
    if (isConflict(error) || isNotFound(error)) return;
    throw error;
  }
  onRemoved();
  recorder.event(item, {
    type: "Warning",
    reason: "ForeignSecretRemoved",
    message: `${outcome} Secret ${name}: its annotation ${annotations.environments} is ${JSON.stringify(mark)}, expected ${JSON.stringify(environmentsMarkOf(item) ?? "")}`,
  });
}
