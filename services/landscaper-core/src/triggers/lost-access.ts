import {
  deployItemPhases,
  formatKey,
  keyOf,
  resources,
  type DeployItem,
  type Execution,
  type Installation,
  type KubeObject,
  type ObjectKey,
} from "@landscaper/api";
import { listDeployItems } from "../execution/deploy-item-index.ts";
import { findExecution } from "../installation/find-execution.ts";
import { listSubinstallations } from "../installation/imports/siblings.ts";
import type { CoreInformers } from "../core.ts";
import { controllerOf, isDeleting, namespaceOf, uidOf } from "../object-reading.ts";
import { createUsedObjects } from "../protection/used-objects.ts";
import { findRoot } from "./find-root.ts";

/** Failed deletions that wait for a Target or its Secret (docs/reference/protection.md#a-target-that-does-not-exist). */
export interface LostAccess {
  /** Roots whose deletion this Target may continue. */
  readonly rootsOfTarget: (target: KubeObject) => readonly ObjectKey[];
  /** The same for a Secret. Metadata suffices. */
  readonly rootsOfSecret: (secret: KubeObject) => readonly ObjectKey[];
  /** Notes what is missing when a deletion has failed. */
  readonly note: (root: Installation) => void;
  /** Whether what was missing exists again. */
  readonly isBack: (root: Installation) => boolean;
  readonly forget: (root: ObjectKey) => void;
}

type Informers = Omit<CoreInformers, "dataObjects" | "targetSyncs">;

/** Reasons of a deployer that has looked for the objects. */
const noTarget = "NoTargetFound";
const noSecret = "TargetSecretMissing";

function isFailedDeletion(item: DeployItem): boolean {
  return isDeleting(item) && item.status?.phase === deployItemPhases.deleteFailed;
}

export function createLostAccess(informers: Informers): LostAccess {
  const { installations, executions, deployItems, targets, contexts, secrets } = informers;
  const used = createUsedObjects({
    deployItems: deployItems.lister,
    targets: targets.lister,
    contexts: contexts.lister,
  });
  /** What the deletions have missed that this process has seen to fail, by Installation. */
  const missed = new Map<string, ReadonlySet<string>>();

  /** Target and Secret of an item that do not exist, as "Kind namespace/name". */
  const missingOf = (item: DeployItem): readonly string[] => {
    const { target: reference } = item.spec;
    if (reference === undefined) return [];
    const namespace = namespaceOf(item);
    const target = targets.lister.get({ namespace, name: reference.name });
    if (target === undefined) return [`Target ${namespace}/${reference.name}`];
    const name = target.spec.secretRef?.name;
    if (name === undefined || secrets.lister.get({ namespace, name }) !== undefined) return [];
    return [`Secret ${namespace}/${name}`];
  };
  const failedItemsOf = (execution: Execution | undefined): readonly DeployItem[] =>
    execution === undefined ? [] : listDeployItems(deployItems.lister, execution).filter(isFailedDeletion);
  /** Users may write owners that form a ring: each Installation counts once. */
  const failedBelow = (installation: Installation, passed = new Set<string>()): readonly DeployItem[] => {
    if (passed.has(uidOf(installation))) return [];
    passed.add(uidOf(installation));
    const below = listSubinstallations(installations.lister, installation);
    return [
      ...failedItemsOf(findExecution(informers, installation)),
      ...below.flatMap((one) => failedBelow(one, passed)),
    ];
  };
  const rootOfItem = (item: DeployItem): readonly ObjectKey[] => {
    const namespace = namespaceOf(item);
    const execution = controllerOf(item, resources.execution.kind);
    const owner = execution && executions.lister.get({ namespace, name: execution.name });
    const parent = owner && controllerOf(owner, resources.installation.kind);
    const root = findRoot(installations.lister, parent && installations.lister.get({ namespace, name: parent.name }));
    return root === undefined ? [] : [keyOf(root)];
  };
  const rootsOf = (items: readonly DeployItem[]): readonly ObjectKey[] => {
    const keys = items.filter(isFailedDeletion).flatMap(rootOfItem);
    return [...new Map(keys.map((key) => [formatKey(key), key])).values()];
  };
  return {
    rootsOfTarget: (target) => rootsOf(used.ofTarget.list(keyOf(target))),
    rootsOfSecret: (secret) => rootsOf(used.ofSecret.list(keyOf(secret))),
    note: (root) => void missed.set(formatKey(keyOf(root)), new Set(failedBelow(root).flatMap(missingOf))),
    isBack: (root) => {
      const known = missed.get(formatKey(keyOf(root)));
      const items = failedBelow(root).filter((item) => {
        const { reason } = item.status?.lastError ?? {};
        if (reason === noTarget) return true;
        // A Secret may exist and lack the key: only what was missing can be back.
        return known === undefined ? reason === noSecret : waitsFor(item, known);
      });
      return items.length > 0 && items.every((item) => missingOf(item).length === 0);
    },
    forget: (root) => void missed.delete(formatKey(root)),
  };

  function waitsFor(item: DeployItem, known: ReadonlySet<string>): boolean {
    const namespace = namespaceOf(item);
    const name = item.spec.target?.name ?? "";
    const secret = targets.lister.get({ namespace, name })?.spec.secretRef?.name ?? "";
    return known.has(`Target ${namespace}/${name}`) || known.has(`Secret ${namespace}/${secret}`);
  }
}
