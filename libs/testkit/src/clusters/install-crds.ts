import {
  generateCrds,
  kubeResources,
  type CustomResourceDefinition,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { isConflict, type Client } from "@landscaper/controller-runtime";
import { waitFor } from "../wait-for.ts";

function isEstablished(crd: CustomResourceDefinition | undefined): boolean {
  return crd?.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") ?? false;
}

/** Creates the object, or gives the one that is there our fields. */
export async function createOrReplace<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
): Promise<void> {
  const { name = "" } = object.metadata;
  const live = await client.find(type, { name });
  try {
    if (live === undefined) await client.create(type, object);
    else {
      const metadata = { ...object.metadata, resourceVersion: live.metadata.resourceVersion ?? "" };
      await client.update(type, { ...object, metadata });
    }
  } catch (error) {
    // Another suite on the same cluster has written the same.
    if (!isConflict(error)) throw error;
  }
}

/** Puts the CRDs of Landscaper in place, on any cluster, and waits until all are established. */
export async function installCrds(client: Client): Promise<void> {
  const crds = generateCrds();
  await Promise.all(crds.map((crd) => createOrReplace(client, kubeResources.customResourceDefinition, crd)));
  await waitFor(async () => {
    const { items } = await client.list(kubeResources.customResourceDefinition);
    return crds.every((crd) => isEstablished(items.find(({ metadata }) => metadata.name === crd.metadata.name)));
  });
}
