import {
  annotations,
  conditionTypes,
  environmentsMarkOf,
  exportSecretName,
  kubeResources,
  planSecretName,
  resources,
  type DeployItem,
} from "@landscaper/api";
import { isConflict, isNotFound, type Client, type EventRecorder } from "@landscaper/controller-runtime";
import { nameOf, namespaceOf } from "../../object-reading.ts";

export interface Sweep {
  readonly client: Client;
  readonly recorder: EventRecorder;
  /** Called for each deleted Secret. */
  readonly onRemoved: () => void;
}

const blockedReasons: ReadonlySet<string> = new Set(["ExportSecretForeign", "PlanSecretForeign"]);

/** Whether the deployer of the item reports that it cannot write one of the item's Secrets. Pure. */
export function isBlocked({ status }: DeployItem): boolean {
  const planned = status?.conditions?.find(({ type }) => type === conditionTypes.planned);
  return [status?.lastError?.reason, planned?.reason].some((reason) => blockedReasons.has(reason ?? ""));
}

/**
 * Deletes a Secret with the name of the item's exports or plan if its mark differs from the item's mark. The item's deployer can then write it
 * (docs/reference/deployer-management.md#secrets-of-a-deployitem). A Secret without a mark stays, because no Environment account can have written it.
 */
export async function sweepSecrets(sweep: Sweep, cached: DeployItem, signal: AbortSignal): Promise<void> {
  const place = { namespace: namespaceOf(cached), name: nameOf(cached) };
  const item = await sweep.client.find(resources.deployItem, place, { signal });
  if (item === undefined) return;
  for (const name of [exportSecretName(nameOf(item)), planSecretName(nameOf(item))]) {
    await sweepSecret(sweep, { item, name }, signal);
  }
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
  const { uid, resourceVersion } = secret.metadata;
  try {
    await client.delete(kubeResources.secret, key, { uid, resourceVersion, signal });
  } catch (error) {
    // A concurrent write or deletion: the deployer reports again if the Secret still blocks it.
    if (isConflict(error) || isNotFound(error)) return;
    throw error;
  }
  onRemoved();
  recorder.event(item, {
    type: "Warning",
    reason: "ForeignSecretRemoved",
    message: `removed Secret ${name}: its annotation ${annotations.environments} is ${JSON.stringify(mark)}, expected ${JSON.stringify(environmentsMarkOf(item) ?? "")}`,
  });
}
