import { kubeResources, type ObjectMeta } from "@landscaper/api";
import type { BackgroundContext } from "@landscaper/deployer";
import { containerLabels, labelValue, type ItemIdentity } from "../../contract/labels.ts";
import { cleanUp } from "./clean-up.ts";
import { hostKinds, type HostPlace } from "./host-objects.ts";
import type { ContainerSettings } from "../settings.ts";

/** Names of this length may be cut. */
const maxLabelLength = 63;

/** Removes what items have left on the host that are gone, such as items that were deleted without their finalizer, until `signal`. */
export async function sweepForever(context: BackgroundContext, settings: ContainerSettings): Promise<void> {
  const { sweepMs } = settings;
  if (sweepMs === undefined) return;
  /** Items of long names that the last sweep has missed: there is no way to ask for them. */
  let missed: ReadonlySet<string> = new Set();
  for (;;) {
    missed = await sweep(context, settings, missed);
    await context.clock.sleep(sweepMs, context.signal);
  }
}

async function sweep(
  context: BackgroundContext,
  settings: ContainerSettings,
  missedBefore: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const missed = new Set<string>();
  for (const item of await listOwners(context, settings)) {
    const fate = await judgeOwner(item, context);
    if (fate === "unsure") missed.add(item.uid);
    if (fate === "there" || (fate === "unsure" && !missedBefore.has(item.uid))) continue;
    const waiting = await cleanUp(placeFor(item, context, settings));
    const fields = { deployItem: `${item.namespace}/${item.name}`, waitingFor: waiting?.for };
    context.log.info(fields, "removed what an item has left that is gone");
  }
  return missed;
}

/** Items by the labels of their objects. */
async function listOwners(
  { host, signal }: BackgroundContext,
  { namespace, identity }: ContainerSettings,
): Promise<readonly ItemIdentity[]> {
  const labelSelector = `${containerLabels.deployerId}=${labelValue(identity)},${containerLabels.uid}`;
  const lists = await Promise.all(
    [kubeResources.pod, ...hostKinds].map(async (type) => {
      const { items } = await host.client.list(type, { namespace, labelSelector, metadataOnly: true, signal });
      return items.map(({ metadata }) => ownerOf(metadata));
    }),
  );
  return [...new Map(lists.flat().map((item) => [item.uid, item])).values()];
}

function ownerOf({ labels = {} }: ObjectMeta): ItemIdentity {
  return {
    uid: labels[containerLabels.uid] ?? "",
    name: labels[containerLabels.itemName] ?? "",
    namespace: labels[containerLabels.itemNamespace] ?? "",
  };
}

async function judgeOwner(
  { namespace, name, uid }: ItemIdentity,
  { items, confirm }: BackgroundContext,
): Promise<"there" | "gone" | "unsure"> {
  if (items.list({ namespace }).some(({ metadata }) => metadata.uid === uid)) return "there";
  if (name.length >= maxLabelLength) return "unsure";
  return (await confirm({ namespace, name }))?.metadata.uid === uid ? "there" : "gone";
}

function placeFor(item: ItemIdentity, { host, signal }: BackgroundContext, settings: ContainerSettings): HostPlace {
  const { namespace, identity } = settings;
  return { cluster: host, namespace, item, deployerId: identity, signal };
}
