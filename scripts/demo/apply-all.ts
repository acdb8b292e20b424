import { kubeResources, resources } from "@landscaper/api";
import type { KubeObject, ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { isAlreadyExists } from "@landscaper/controller-runtime";

const types: readonly ResourceType[] = [...Object.values(resources), ...Object.values(kubeResources)];

/** Creates objects in order; those that are there already stay as they are. */
export async function applyAll(client: Client, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const type = types.find((candidate) => candidate.kind === object.kind);
    if (type === undefined) throw new Error(`no resource type is known for kind ${object.kind}`);
    try {
      await client.create(type, object);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}
