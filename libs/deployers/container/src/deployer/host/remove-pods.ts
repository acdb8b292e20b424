import { kubeResources } from "@landscaper/api";
import { isConflict, isNotFound } from "@landscaper/controller-runtime";
import type { TargetCluster } from "@landscaper/resources";
import { podFinalizer } from "../../contract/labels.ts";
import { onHost } from "./host-error.ts";
import { selectItem, type HostPlace } from "./host-objects.ts";
import { observePod, type ObservedPod } from "../pod/pod-state.ts";

/** Where a Pod is removed. */
export type PodPlace = Pick<HostPlace, "namespace" | "signal"> & { readonly cluster: Pick<TargetCluster, "client"> };

/** All Pods of the item. */
export async function listPods({ cluster, namespace, item, signal }: HostPlace): Promise<readonly ObservedPod[]> {
  const options = { namespace, labelSelector: selectItem(item), signal };
  const { items } = await onHost("a list of pods", () => cluster.client.list(kubeResources.pod, options));
  return items.map(observePod);
}

/** Removes the finalizer of a Pod whose results are recorded. */
export async function releasePod({ name, uid, isKept, pod }: ObservedPod, place: PodPlace): Promise<void> {
  if (isKept) return;
  const { cluster, namespace, signal } = place;
  const finalizers = (pod.metadata.finalizers ?? []).filter((each) => each !== podFinalizer);
  const body = { metadata: { uid, finalizers } };
  try {
    await cluster.client.patch(kubeResources.pod, { namespace, name }, { type: "merge", body, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Releases and deletes a Pod; its program has its grace period. Returns true once the Pod no longer exists. */
export async function removePod(pod: ObservedPod, place: PodPlace): Promise<boolean> {
  const { cluster, namespace, signal } = place;
  await releasePod(pod, place);
  const { name, uid, isDeleting } = pod;
  if (isDeleting) return (await cluster.client.find(kubeResources.pod, { namespace, name }, { signal })) === undefined;
  return (await cluster.client.delete(kubeResources.pod, { namespace, name }, { uid, signal })) === undefined;
}

/**
 * Requests the deletion of a Pod unless the Pod has changed since it was observed. The finalizer keeps the Pod until `releasePod`, so the result of its
 * program stays readable. Returns false if the Pod has changed.
 */
export async function endPod(
  { name, uid, pod }: ObservedPod,
  { cluster, namespace, signal }: PodPlace,
): Promise<boolean> {
  const { resourceVersion } = pod.metadata;
  try {
    await cluster.client.delete(kubeResources.pod, { namespace, name }, { uid, resourceVersion, signal });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}
