import { isJobOpen, kubeResources, type DeployItem } from "@landscaper/api";
import { isRepetitionOpen, type BackgroundContext } from "@landscaper/deployer";
import { ownerOf, type ItemIdentity } from "../../contract/labels.ts";
import { observePod, type ObservedPod } from "../pod/pod-state.ts";
import type { ContainerSettings } from "../settings.ts";
import { placeFor, selectDeployer, type HostPlace } from "./host-objects.ts";
import { endPod, releasePod } from "./remove-pods.ts";

/**
 * Removes Pods behind their gate whose run has ended: a process has died before it recorded them, and the job was ended before the next process took it
 * over. Such a program has not run, and never would. Returns the names of the Pods.
 */
export async function removeLeftPods(
  context: BackgroundContext,
  settings: ContainerSettings,
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const [pod, owner] of await listGatedPods(context, settings)) {
    const item = await findItem(owner, context);
    // Those of items that are gone are removed with all else of them.
    if (item === undefined || mayStart(item)) continue;
    if (await removeGatedPod(pod, placeFor(owner, context, settings))) removed.push(pod.name);
  }
  return removed;
}

/** Whether a run of the item is still to start or to go on: its Pod is its own business, and it removes those of other runs. Pure. */
export function mayStart({ status }: DeployItem): boolean {
  return isJobOpen(status) || isRepetitionOpen(status);
}

async function listGatedPods(
  { host, signal }: BackgroundContext,
  settings: ContainerSettings,
): Promise<readonly (readonly [ObservedPod, ItemIdentity])[]> {
  // No scheduler gives a node to a Pod behind its gate.
  const { namespace } = settings;
  const options = { namespace, labelSelector: selectDeployer(settings), fieldSelector: "spec.nodeName=", signal };
  const { items } = await host.client.list(kubeResources.pod, options);
  return items.map((pod) => [observePod(pod), ownerOf(pod.metadata)] as const).filter(([{ isGated }]) => isGated);
}

/** As the API server has it now, and not as it was before its Pod was listed. */
async function findItem(
  { namespace, uid }: ItemIdentity,
  { items, confirm }: BackgroundContext,
): Promise<DeployItem | undefined> {
  const known = items.list({ namespace }).find(({ metadata }) => metadata.uid === uid);
  const item = known && (await confirm({ namespace, name: known.metadata.name ?? "" }));
  return item?.metadata.uid === uid ? item : undefined;
}

/** Returns false if the Pod has changed since it was listed: another process may have removed its gate. */
async function removeGatedPod(pod: ObservedPod, place: HostPlace): Promise<boolean> {
  if (!(await endPod(pod, place))) return false;
  // Must come after the deletion: a Pod without its finalizer could start if its deletion were refused.
  await releasePod(pod, place);
  return true;
}
