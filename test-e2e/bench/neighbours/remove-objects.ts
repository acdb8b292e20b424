import { keyOf, resources } from "@landscaper/api";
import type { KubeObject, ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { isNotFound } from "@landscaper/controller-runtime";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";

const types: readonly ResourceType[] = [resources.installation, resources.execution, resources.deployItem];

/** Removes all Landscaper jobs of a namespace without waiting for the services: their finalizers are lifted. */
export async function removeObjects(client: Client, namespace: string, inFlight: number): Promise<void> {
  for (const type of types) {
    const { items } = await client.list(type, { namespace });
    await runInParallel(items.length, inFlight, async (index) => remove(client, type, items[index]));
  }
}

async function remove(client: Client, type: ResourceType, object: KubeObject | undefined): Promise<void> {
  if (object === undefined) return;
  // First the deletion: from then on no service adds a finalizer.
  await client.delete(type, keyOf(object));
  try {
    await client.patch(type, keyOf(object), { type: "merge", body: { metadata: { finalizers: null } } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
