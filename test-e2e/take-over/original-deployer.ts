// The original's manifest deployer where it takes a landscape back: it uninstalls what the inventory in the status names.
import * as contract from "../src/kits/contract-names.ts";
import type { Cluster, Item } from "../src/kits/plain-api.ts";
import { isDeleting, isOpen, releaseObject } from "./original-objects.ts";

interface Managed {
  readonly policy?: string;
  readonly resource: { readonly kind: string; readonly name: string; readonly namespace: string };
}

/** deployers.md §3.5: `keep` and `ignore` stay. */
function inventoryOf({ status }: Item): readonly Managed[] {
  const inventory: unknown = Reflect.get(Object(status?.["providerStatus"]), "managedResources");
  return Array.isArray(inventory) ? (inventory as Managed[]) : []; // as the provider status is specified
}

/** Uninstalls the items of a namespace whose deletion jobs are open, once. Objects are ConfigMaps. */
export async function uninstallItems(hub: Cluster, target: Cluster, namespace: string): Promise<void> {
  const api = hub.namespace(namespace);
  for (const item of await api.list("DeployItem")) {
    if (!isDeleting(item) || !isOpen(item) || item.metadata.finalizers?.includes(contract.finalizer) !== true) continue;
    for (const { policy = "manage", resource } of inventoryOf(item)) {
      if (policy === "keep" || policy === "ignore" || resource.kind !== "ConfigMap") continue;
      await target.namespace(resource.namespace).delete("ConfigMap", resource.name);
    }
    await releaseObject(api, { ...item, kind: "DeployItem" });
  }
}
