import {
  kubeResources,
  resources,
  type DeletionProtection,
  type KubeObject,
  type ResourceType,
  type RoleBinding,
} from "@landscaper/api";
import type { EventRecorder, Lister, Manager, WatchedKind } from "@landscaper/controller-runtime";
import { bindingIndexes, managedSelector } from "../deployer-management/deployer-indexes.ts";
import { changes, identityState, specState } from "../deployer-management/relevant-updates.ts";
import { bindingNamespaceIndexes, createBindingUsers, markedItemIndexes, rightsOfItem } from "./binding-users.ts";
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
  /** Namespace of deployer management. Undefined: the core manages no deployers, and RoleBindings are left alone. */
  readonly managementNamespace: string | undefined;
}

interface ProtectedKind<T extends KubeObject> {
  readonly name: string;
  readonly type: ResourceType<T>;
  readonly objects: Lister<T>;
  readonly users: Users;
  readonly watches: readonly WatchedKind[];
  readonly metadataOnly?: boolean;
  readonly labelSelector?: string;
}

/** Adds the controllers that keep Targets, Contexts, Secrets and RoleBindings in use, to a manager that has not been started. */
export function addProtection(manager: Manager, settings: ProtectionSettings): void {
  const { recorder, deletionProtection, managementNamespace } = settings;
  const { client, clock } = manager;
  const targets = manager.informer(resources.target, { indexes: targetSecretIndexes }).lister;
  const contexts = manager.informer(resources.context, { indexes: contextSecretIndexes }).lister;
  const deployItems = manager.informer(resources.deployItem, { indexes: userIndexes }).lister;
  const secrets = manager.informer(kubeResources.secret, { metadataOnly: true }).lister;
  const used = createUsedObjects({ deployItems, targets, contexts });
  const isEnabled = deletionProtection === "on";
  const add = <T extends KubeObject>({ name, type, objects, users, ...source }: ProtectedKind<T>): void => {
    const reconcile = createProtectionReconciler({ client, clock, recorder, isEnabled, type, objects, users });
    manager.addController({ name, group: "central", for: type, reconcile, workers, ...source });
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
  if (managementNamespace !== undefined) add(protectedBindings(manager, managementNamespace));
}

/** RoleBindings of deployers in the namespaces that their Environments name. */
function protectedBindings(manager: Manager, namespace: string): ProtectedKind<RoleBinding> {
  const labelSelector = managedSelector;
  const indexes = { ...bindingIndexes, ...bindingNamespaceIndexes };
  const objects = manager.informer(kubeResources.roleBinding, { labelSelector, indexes }).lister;
  const users = createBindingUsers({
    deployItems: manager.informer(resources.deployItem, { indexes: markedItemIndexes }).lister,
    roleBindings: objects,
    environments: manager.informer(resources.environment).lister,
    installations: manager.informer(resources.installation).lister,
    registrations: manager.informer(resources.deployerRegistration).lister,
    namespace,
  });
  return {
    name: "binding-protection",
    type: kubeResources.roleBinding,
    labelSelector,
    objects,
    users,
    watches: [
      { type: resources.deployItem, map: users.keysOfItem, updatePredicate: changes(rightsOfItem) },
      { type: resources.environment, map: users.keysOfEnvironment, updatePredicate: changes(specState) },
      { type: resources.deployerRegistration, map: users.keysOfRegistration, updatePredicate: changes(identityState) },
      { type: resources.installation, map: users.keysOfPair, updatePredicate: changes(identityState) },
    ],
  };
}
