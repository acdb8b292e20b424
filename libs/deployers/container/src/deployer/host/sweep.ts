import { kubeResources } from "@landscaper/api";
import type { BackgroundContext } from "@landscaper/deployer";
import { ownerOf, type ItemIdentity } from "../../contract/labels.ts";
import { cleanUp } from "./clean-up.ts";
import { hostKinds, placeFor, selectDeployer } from "./host-objects.ts";
import { removeLeftPods } from "./left-pods.ts";
import type { ContainerSettings } from "../settings.ts";

/** Names of this length may be cut. */
const maxLabelLength = 63;

/**
 * Removes what items have left on the host that are gone, such as items that were deleted without their finalizer, and Pods of runs that have ended before
 * their Pods could start, until `signal`.
 */
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
  const pods = await removeLeftPods(context, settings);
  if (pods.length > 0)
    context.log.info({ pods }, "removed Pods that waited behind their gate for runs that have ended");
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
  settings: ContainerSettings,
): Promise<readonly ItemIdentity[]> {
  const options = {
    namespace: settings.namespace,
    labelSelector: selectDeployer(settings),
    metadataOnly: true,
    signal,
  };
  const lists = await Promise.all(
    [kubeResources.pod, ...hostKinds].map(async (type) => {
      const { items } = await host.client.list(type, options);
      return items.map(({ metadata }) => ownerOf(metadata));
    }),
  );
  return [...new Map(lists.flat().map((item) => [item.uid, item])).values()];
}

async function judgeOwner(
  { namespace, name, uid }: ItemIdentity,
  { items, confirm }: BackgroundContext,
): Promise<"there" | "gone" | "unsure"> {
  if (items.list({ namespace }).some(({ metadata }) => metadata.uid === uid)) return "there";
  if (name.length >= maxLabelLength) return "unsure";
  return (await confirm({ namespace, name }))?.metadata.uid === uid ? "there" : "gone";
}
