import { kubeResources, type ResourceType } from "@landscaper/api";
import { resourcePath, type Client } from "@landscaper/controller-runtime";
import type { Waiting } from "@landscaper/deployer";
import { containerLabels, labelValue, secretTypes } from "../../contract/labels.ts";
import { onHost } from "./host-error.ts";
import { hostKinds, selectItem, type HostPlace } from "./host-objects.ts";
import { listPods, removePod } from "./remove-pods.ts";

/**
 * Removes everything of an item from the host: its Pods first, for they would write again. Returns what it waits for. `removed` keeps what a pass has
 * removed that failed, so that the next one comes further.
 */
export async function cleanUp(place: HostPlace, removed = new Set<string>()): Promise<Waiting | undefined> {
  const { cluster, namespace, item } = place;
  const pods = await listPods(place);
  const gone = await Promise.all(pods.map((pod) => removePod(pod, place)));
  const left = pods.filter((_, index) => gone[index] !== true).map(({ name }) => name);
  if (left.length > 0) {
    const wakeOn = left.map((name) => ({ cluster, apiVersion: "v1", kind: "Pod", namespace, name }));
    return { type: "waiting", for: `Pod ${left.join(", ")} to end`, wakeOn };
  }
  const kinds = hostKinds.filter(({ kind }) => !removed.has(kind));
  const removals = kinds.map(async (type) => {
    await removeSelected(type, selectItem(item), place);
    removed.add(type.kind);
  });
  // Each comes to its end, also beside one that fails.
  await Promise.allSettled(removals);
  await Promise.all(removals);
  await removeSelected(kubeResources.secret, originalState(place), place);
  return undefined;
}

/** State that the original has written for an item of this name: its parts have no uid. */
function originalState({ item }: HostPlace): string {
  return [
    `${containerLabels.type}=${secretTypes.state}`,
    `${containerLabels.itemName}=${labelValue(item.name)}`,
    `${containerLabels.itemNamespace}=${item.namespace}`,
    `!${containerLabels.uid}`,
  ].join(",");
}

export async function removeSelected(
  type: ResourceType,
  labelSelector: string,
  { cluster, namespace, signal }: Pick<HostPlace, "cluster" | "namespace" | "signal">,
): Promise<void> {
  const path = `${resourcePath(type, { namespace })}?labelSelector=${encodeURIComponent(labelSelector)}`;
  const remove = (): ReturnType<Client["request"]> => cluster.client.request({ method: "DELETE", path, signal });
  await onHost(`the removal of ${type.plural}`, remove);
}
