import { kubeResources, resources, type DeletionProtection, type KubeObject, type ResourceType } from "@landscaper/api";
import type { EventRecorder, Lister, Manager, WatchedKind } from "@landscaper/controller-runtime";
import { changes } from "../deployer-management/relevant-updates.ts";
import { createProtectionReconciler } from "./protection-reconciler.ts";
import {
  contextSecretIndexes,
  createUsedObjects,
  targetSecretIndexes,
  useOfItem,
  userIndexes,
  type Users,
} from "./used-objects.ts";

const workers = 10;

export interface ProtectionSettings {
  readonly recorder: EventRecorder;
  /** "off" removes the finalizers. */
  readonly deletionProtection: DeletionProtection;
}

interface ProtectedKind<T extends KubeObject> {
  readonly name: string;
  readonly type: ResourceType<T>;
  readonly objects: Lister<T>;
  readonly users: Users;
  readonly watches: readonly WatchedKind[];
  readonly metadataOnly?: boolean;
}

/** Adds the controllers that keep Targets, Contexts and Secrets in use, to a manager that has not been started. */
export function addProtection(manager: Manager, { recorder, deletionProtection }: ProtectionSettings): void {
  const { client, clock } = manager;
  const targets = manager.informer(resources.target, { indexes: targetSecretIndexes }).lister;
  const contexts = manager.informer(resources.context, { indexes: contextSecretIndexes }).lister;
  const deployItems = manager.informer(resources.deployItem, { indexes: userIndexes }).lister;
  const secrets = manager.informer(kubeResources.secret, { metadataOnly: true }).lister;
  const used = createUsedObjects({ deployItems, targets, contexts });
  const isEnabled = deletionProtection === "on";
  const add = <T extends KubeObject>({ name, type, objects, users, watches, metadataOnly }: ProtectedKind<T>): void => {
    const reconcile = createProtectionReconciler({ client, clock, recorder, isEnabled, type, objects, users });
    manager.addController({ name, group: "central", for: type, metadataOnly, reconcile, watches, workers });
  };
  const ofItems = (map: WatchedKind["map"]): WatchedKind => ({
    type: resources.deployItem,
    map,
    updatePredicate: changes(useOfItem),
  });
  add({
    name: "target-protection",
    type: resources.target,
    objects: targets,
    users: used.ofTarget,
    watches: [ofItems(used.targetKeysOfItem)],
  });
  add({
    name: "context-protection",
    type: resources.context,
    objects: contexts,
    users: used.ofContext,
    watches: [ofItems(used.contextKeysOfItem)],
  });
  add({
    name: "secret-protection",
    type: kubeResources.secret,
    metadataOnly: true,
    objects: secrets,
    users: used.ofSecret,
    watches: [
      ofItems(used.secretKeysOfItem),
      { type: resources.target, map: used.secretKeysOfTarget },
      { type: resources.context, map: used.secretKeysOfContext },
    ],
  });
}
