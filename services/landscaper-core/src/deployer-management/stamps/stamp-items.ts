import {
  allEnvironments,
  annotations,
  environmentsMarkOf,
  exportSecretName,
  keyOf,
  kubeResources,
  planSecretName,
  resources,
  type DeployItem,
  type DeployerRegistration,
  type Environment,
  type KubeObject,
  type ObjectKey,
  type Secret,
  type Target,
} from "@landscaper/api";
import {
  isNotFound,
  type Client,
  type EventRecorder,
  type IndexFunctions,
  type Lister,
  type Reconcile,
} from "@landscaper/controller-runtime";
import { annotationOf, nameOf, namespaceOf, uidOf } from "../../object-reading.ts";
import { environmentsOf, isClaimedBy, type Claimed } from "./claiming-environments.ts";
import { isBlocked, sweepSecrets } from "./sweep-secrets.ts";

/** What the annotations of DeployItems follow from. */
export interface StampSources {
  readonly environments: Pick<Lister<Environment>, "get" | "list">;
  readonly registrations: Pick<Lister<DeployerRegistration>, "list">;
  readonly targets: Pick<Lister<Target>, "get">;
}

const byTarget = "target";

export const targetOfItemIndexes: IndexFunctions<DeployItem> = {
  // Deployers look the Target up in the namespace of the item.
  [byTarget]: (item) => (item.spec.target === undefined ? [] : [`${namespaceOf(item)}/${item.spec.target.name}`]),
};

function claimedOf({ targets }: StampSources, item: DeployItem): Claimed {
  const { target } = item.spec;
  return {
    item,
    target: target === undefined ? undefined : targets.get({ namespace: namespaceOf(item), name: target.name }),
  };
}

/** Environments whose accounts may write the item, as the value of its annotation; undefined: none. */
export function stampOf(sources: StampSources, item: DeployItem): string | undefined {
  return environmentsOf(claimedOf(sources, item), sources.environments, sources.registrations.list());
}

/** DeployItems with the Target of a key, by `targetOfItemIndexes`. */
export function itemsOfTargetKey(
  items: Pick<Lister<DeployItem>, "byIndex">,
  { namespace = "", name }: ObjectKey,
): readonly DeployItem[] {
  return items.byIndex(byTarget, `${namespace}/${name}`);
}

/** DeployItems with a Target. */
export function itemsOfTarget(items: Lister<DeployItem>): (target: KubeObject) => readonly ObjectKey[] {
  return (target) => itemsOfTargetKey(items, keyOf(target)).map(keyOf);
}

/** DeployItems whose annotation a change of the Environment alters. */
export function itemsOfEnvironment(
  sources: StampSources,
  items: Pick<Lister<DeployItem>, "list">,
): (environment: KubeObject) => readonly ObjectKey[] {
  return (object) => {
    const name = nameOf(object);
    const current = sources.environments.get({ name });
    const registrations = sources.registrations.list();
    const isAffected = (item: DeployItem): boolean => {
      const stamp = annotationOf(item, annotations.environments);
      const isNamed = stamp?.split(",").includes(name) === true;
      const isClaimed = current !== undefined && isClaimedBy(current, claimedOf(sources, item), registrations);
      return stamp === allEnvironments || isNamed !== isClaimed;
    };
    return items.list().filter(isAffected).map(keyOf);
  };
}

export interface StampContext {
  readonly client: Client;
  readonly sources: StampSources;
  readonly deployItems: Pick<Lister<DeployItem>, "get">;
  readonly recorder: EventRecorder;
  /** Called for each Secret of another Environment that was emptied or deleted. */
  readonly onSecretRemoved: () => void;
}

/** Keeps the annotation of a DeployItem, and that of its Secrets, as its Target and the Environments say. Keys are DeployItems. */
export function createStampReconciler(context: StampContext): Reconcile {
  const { client, sources, deployItems, recorder, onSecretRemoved } = context;
  const sweep = { client, recorder, onRemoved: onSecretRemoved };
  return async (key, signal) => {
    const item = deployItems.get(key);
    if (item === undefined) return undefined;
    /** The cached item may have an earlier mark than the live one. */
    const hasMarkOf = async (cached: DeployItem, secret: Secret): Promise<boolean> => {
      const mark = environmentsMarkOf(secret);
      if (mark === environmentsMarkOf(cached)) return true;
      const live = await client.find(resources.deployItem, key, { signal });
      return live !== undefined && mark === environmentsMarkOf(live);
    };
    const stamp = stampOf(sources, item);
    if (stamp === annotationOf(item, annotations.environments)) {
      if (isBlocked(item)) await sweepSecrets(sweep, item, signal);
      return undefined;
    }
    const body = { metadata: { annotations: { [annotations.environments]: stamp ?? null } } };
    // Before the item: a pass that ends in between is done again.
    for (const name of [exportSecretName(nameOf(item)), planSecretName(nameOf(item))]) {
      const place = { namespace: namespaceOf(item), name };
      const secret = await client.find(kubeResources.secret, place, { signal });
      // A deployer has written the owner reference. A Secret of another item, or with another mark, is left alone.
      const isOwn = secret?.metadata.ownerReferences?.some(({ uid }) => uid === uidOf(item)) === true;
      if (isOwn && (await hasMarkOf(item, secret)))
        await ignoreGone(client.patch(kubeResources.secret, place, { type: "merge", body, signal }));
    }
    await ignoreGone(client.patch(resources.deployItem, key, { type: "merge", body, signal }));
    return undefined;
  };
}

async function ignoreGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
