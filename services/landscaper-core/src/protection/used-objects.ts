import {
  defaultContextName,
  finalizer,
  findHelmReferences,
  formatKey,
  keyOf,
  type Context,
  type DeployItem,
  type KubeObject,
  type ObjectKey,
  type Target,
} from "@landscaper/api";
import type { IndexFunctions, Lister } from "@landscaper/controller-runtime";
import { secretsOfContext } from "../deployer-management/agent-secrets/list-secrets.ts";
import { hasFinalizer, namespaceOf } from "../object-reading.ts";

const byUsedTarget = "used-target";
const byUsedContext = "used-context";
/** Name of the index in `targetSecretIndexes` and `contextSecretIndexes`. */
export const byNamedSecret = "named-secret";

/** An object of a user must not cause unbounded work. */
const maxTargetsOfItem = 100;
const maxSecretsOfContext = 1_000;

/** Whether the item may have left something on its target: its finalizer stays until it is uninstalled. */
export function mustBeUninstalled(item: DeployItem): boolean {
  return hasFinalizer(item, finalizer);
}

function keysIn(object: KubeObject, names: readonly string[]): readonly ObjectKey[] {
  return names.map((name) => ({ namespace: namespaceOf(object), name }));
}

function targetsUsedBy(item: DeployItem): readonly ObjectKey[] {
  if (!mustBeUninstalled(item)) return [];
  const { target, config } = item.spec;
  const names = new Set([...(target === undefined ? [] : [target.name]), ...findHelmReferences(config).targets]);
  return keysIn(item, [...names].slice(0, maxTargetsOfItem));
}

function contextsUsedBy(item: DeployItem): readonly ObjectKey[] {
  return mustBeUninstalled(item) ? keysIn(item, [item.spec.context ?? defaultContextName]) : [];
}

function secretsNamedByTarget(target: Target): readonly ObjectKey[] {
  const { secretRef } = target.spec;
  return secretRef === undefined ? [] : keysIn(target, [secretRef.name]);
}

function secretsNamedByContext(context: Context): readonly ObjectKey[] {
  return keysIn(context, secretsOfContext(context).slice(0, maxSecretsOfContext));
}

/** Indexes of DeployItems that must be uninstalled: by the Targets and the Context that they use. */
export const userIndexes: IndexFunctions<DeployItem> = {
  [byUsedTarget]: (item) => targetsUsedBy(item).map(formatKey),
  [byUsedContext]: (item) => contextsUsedBy(item).map(formatKey),
};

/** Index of Targets by their Secret. */
export const targetSecretIndexes: IndexFunctions<Target> = {
  [byNamedSecret]: (target) => secretsNamedByTarget(target).map(formatKey),
};

/** Index of Contexts by the Secrets of their registries and repositories. */
export const contextSecretIndexes: IndexFunctions<Context> = {
  [byNamedSecret]: (context) => secretsNamedByContext(context).map(formatKey),
};

/** Returns the fields of an item that decide what it uses, serialized for comparison. */
export function useOfItem(item: DeployItem): string {
  return JSON.stringify([targetsUsedBy(item), contextsUsedBy(item)]);
}

/** DeployItems that use an object and must be uninstalled. */
export interface Users {
  /** Does not depend on the number of users. */
  readonly isUsed: (key: ObjectKey) => boolean;
  readonly list: (key: ObjectKey) => readonly DeployItem[];
}

/** Who uses the objects of each kind, and which keys an event concerns. Reads listers alone. */
export interface UsedObjects {
  readonly ofTarget: Users;
  readonly ofContext: Users;
  readonly ofSecret: Users;
  /** Users of Targets that name a Secret; without those of Contexts. */
  readonly ofTargetSecret: Users;
  readonly targetKeysOfItem: (item: KubeObject) => readonly ObjectKey[];
  readonly contextKeysOfItem: (item: KubeObject) => readonly ObjectKey[];
  readonly secretKeysOfItem: (item: KubeObject) => readonly ObjectKey[];
  readonly secretKeysOfTarget: (target: KubeObject) => readonly ObjectKey[];
  readonly secretKeysOfContext: (context: KubeObject) => readonly ObjectKey[];
}

type ByIndex<T extends KubeObject> = Pick<Lister<T>, "byIndex" | "countByIndex">;

export interface UsedObjectListers {
  /** With `userIndexes`. */
  readonly deployItems: ByIndex<DeployItem>;
  /** With `targetSecretIndexes`. */
  readonly targets: Pick<Lister<Target>, "get"> & ByIndex<Target>;
  /** With `contextSecretIndexes`. */
  readonly contexts: Pick<Lister<Context>, "get"> & ByIndex<Context>;
}

export function createUsedObjects({ deployItems, targets, contexts }: UsedObjectListers): UsedObjects {
  const usersBy = (index: string): Users => ({
    isUsed: (key) => deployItems.countByIndex(index, formatKey(key)) > 0,
    list: (key) => deployItems.byIndex(index, formatKey(key)),
  });
  const [ofTarget, ofContext] = [usersBy(byUsedTarget), usersBy(byUsedContext)];
  const targetKeys = (key: ObjectKey) => targets.byIndex(byNamedSecret, formatKey(key)).map(keyOf);
  const contextKeys = (key: ObjectKey) => contexts.byIndex(byNamedSecret, formatKey(key)).map(keyOf);
  const ofTargetSecret: Users = {
    isUsed: (key) => targetKeys(key).some(ofTarget.isUsed),
    list: (key) => [...new Set(targetKeys(key).flatMap(ofTarget.list))],
  };
  // The informers of these kinds yield their objects.
  const targetKeysOfItem = (item: KubeObject): readonly ObjectKey[] => targetsUsedBy(item as DeployItem);
  const contextKeysOfItem = (item: KubeObject): readonly ObjectKey[] => contextsUsedBy(item as DeployItem);
  return {
    ofTarget,
    ofContext,
    ofTargetSecret,
    ofSecret: {
      isUsed: (key) => ofTargetSecret.isUsed(key) || contextKeys(key).some(ofContext.isUsed),
      list: (key) => [...new Set([...ofTargetSecret.list(key), ...contextKeys(key).flatMap(ofContext.list)])],
    },
    targetKeysOfItem,
    contextKeysOfItem,
    secretKeysOfItem: (item) => [
      ...targetKeysOfItem(item).flatMap((key) => secretsOf(targets.get(key), secretsNamedByTarget)),
      ...contextKeysOfItem(item).flatMap((key) => secretsOf(contexts.get(key), secretsNamedByContext)),
    ],
    secretKeysOfTarget: (target) => secretsNamedByTarget(target as Target),
    secretKeysOfContext: (context) => secretsNamedByContext(context),
  };
}

function secretsOf<T>(object: T | undefined, read: (object: T) => readonly ObjectKey[]): readonly ObjectKey[] {
  return object === undefined ? [] : read(object);
}
