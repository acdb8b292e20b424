import type { KubeObject, ObjectKey, ResourceType } from "@landscaper/api";
import { annotations, operations } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

/** Asks for a job of an Installation, or for a try of a TargetSync. */
export async function triggerJob<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: ObjectKey,
): Promise<void> {
  const body = { metadata: { annotations: { [annotations.operation]: operations.reconcile } } };
  await client.patch(type, key, { type: "merge", body });
}
