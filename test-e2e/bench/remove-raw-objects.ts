import { keyOf, resources } from "@landscaper/api";
import type { KubeObject, ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { runInParallel } from "../src/run-in-parallel.ts";

const types: readonly ResourceType[] = [resources.installation, resources.execution, resources.deployItem];

/** Takes away what the raw client made and services would take for their own: nobody is there to lift the finalizers. */
export async function removeRawObjects(client: Client, namespace: string, inFlight: number): Promise<void> {
  for (const type of types) {
    const { items } = await client.list(type, { namespace });
    await runInParallel(items.length, inFlight, async (index) => remove(client, type, items[index]));
  }
}

async function remove(client: Client, type: ResourceType, object: KubeObject | undefined): Promise<void> {
  if (object === undefined) return;
  const body = { metadata: { finalizers: null } };
  await client.patch(type, keyOf(object), { type: "merge", body });
  await client.delete(type, keyOf(object));
}
