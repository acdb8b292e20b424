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
import { targetSecretMissing } from "@landscaper/deployer";
import { listDeployItems } from "../execution/deploy-item-index.ts";
import { findExecution, findInstallation } from "../installation/find-execution.ts";
import { listSubinstallations } from "../installation/imports/siblings.ts";
import type { CoreInformers } from "../core.ts";
import { controllerOf, isDeleting, nameOf, namespaceOf, uidOf } from "../object-reading.ts";
import { createUsedObjects } from "../protection/used-objects.ts";
import { findRoot } from "./find-root.ts";

/** Objects that start deletion jobs: roots, and Executions without Installation. */
export interface WokenObjects {
  readonly installations: readonly ObjectKey[];
  readonly executions: readonly ObjectKey[];
}

/** A root, or an Execution without Installation. */
export type Starter =
  | { readonly kind: "Installation"; readonly object: Installation }
  | { readonly kind: "Execution"; readonly object: Execution };

/** Failed deletions that wait for a Target or its Secret (docs/reference/protection.md#a-target-that-does-not-exist). */
export interface LostAccess {
  /** Returns the objects with failed deletions that use this Target. */
  readonly wokenByTarget: (target: KubeObject) => WokenObjects;
  /** The same for a Secret of Targets. Metadata suffices. */
  readonly wokenBySecret: (secret: KubeObject) => WokenObjects;
  /** Notes the Targets and Secrets that exist when a deletion job starts. */
  readonly noteStart: (starter: Starter) => void;
  /** Whether a failed deletion lacked Targets or Secrets, and they exist now. After `noteStart`, returns false for the same objects. */
  readonly isBack: (starter: Starter) => boolean;
  readonly forget: (kind: Starter["kind"], key: ObjectKey) => void;
}

/** Kinds that decide about lost access. */
export type AccessInformers = Omit<CoreInformers, "dataObjects" | "targetSyncs">;

const noTarget = "NoTargetFound";
/** Reasons of a deployer that has not found the objects. */
const reasons: ReadonlySet<string> = new Set([noTarget, targetSecretMissing]);

/** Target and Secret of an item in the state in which a job finds them. */
interface Access {
  readonly hasTarget: boolean;
  /** False only if the Target names a Secret that does not exist. */
  readonly hasSecret: boolean;
  readonly version: string;
}

function accessOf({ targets, secrets }: AccessInformers, item: DeployItem): Access {
  const { target: reference } = item.spec;
  const namespace = namespaceOf(item);
  if (reference === undefined) return { hasTarget: true, hasSecret: true, version: "" };
  const target = targets.lister.get({ namespace, name: reference.name });
  if (target === undefined) return { hasTarget: false, hasSecret: true, version: "" };
  // The finalizer of the protection changes resourceVersion, but not generation.
  const version = `${uidOf(target)}/${target.metadata.generation ?? 0}`;
  const name = target.spec.secretRef?.name;
  if (name === undefined) return { hasTarget: true, hasSecret: true, version };
  const secret = secrets.lister.get({ namespace, name });
  const hasSecret = secret !== undefined;
  return { hasTarget: true, hasSecret, version: `${version}/${secret?.metadata.resourceVersion ?? ""}` };
}

/** DeployItems of the whole tree. Users may write owners that form a ring: each Installation counts once. */
function listItemsBelow(
  informers: AccessInformers,
  installation: Installation,
  passed = new Set<string>(),
): readonly DeployItem[] {
  if (passed.has(uidOf(installation))) return [];
  passed.add(uidOf(installation));
  const execution = findExecution(informers, installation);
  const items = execution === undefined ? [] : listDeployItems(informers.deployItems.lister, execution);
  const below = listSubinstallations(informers.installations.lister, installation);
  return [...items, ...below.flatMap((one) => listItemsBelow(informers, one, passed))];
}

function hasFailedDeletion(item: DeployItem): boolean {
  return isDeleting(item) && item.status?.phase === deployItemPhases.deleteFailed;
}

interface AccessOfItem {
  readonly item: DeployItem;
  readonly now: Access;
  /** When the job started; undefined if this process has not seen that. */
  readonly before: Access | undefined;
}

function lackedAccess({ item, before }: AccessOfItem): boolean {
  const isToldByDeployer = reasons.has(item.status?.lastError?.reason ?? "");
  return isToldByDeployer || before?.hasTarget === false || before?.hasSecret === false;
}

/** A job without Target does not know its Secret: the next job reports it. */
function hasAccess({ item, now, before }: AccessOfItem): boolean {
  const lackedTarget = item.status?.lastError?.reason === noTarget || before?.hasTarget === false;
  return now.hasTarget && (lackedTarget || now.hasSecret);
}

function keyOfStarter(kind: Starter["kind"], key: ObjectKey): string {
  return `${kind} ${formatKey(key)}`;
}

function distinctKeys(objects: readonly (KubeObject | undefined)[]): readonly ObjectKey[] {
  const keys = objects.flatMap((object) => (object === undefined ? [] : [keyOf(object)]));
  return [...new Map(keys.map((key) => [formatKey(key), key])).values()];
}

/** Returns the objects whose failed deletions include one of the items. */
function findStarters(informers: AccessInformers, items: readonly DeployItem[]): WokenObjects {
  const { installations, executions } = informers;
  const found = items.filter(hasFailedDeletion).map((item) => {
    const owner = controllerOf(item, resources.execution.kind);
    return owner && executions.lister.get({ namespace: namespaceOf(item), name: owner.name });
  });
  const owned = found.map((execution) => execution && findInstallation(informers, execution));
  return {
    installations: distinctKeys(owned.map((installation) => findRoot(installations.lister, installation))),
    executions: distinctKeys(found.filter((_, index) => owned[index] === undefined)),
  };
}

export function createLostAccess(informers: AccessInformers): LostAccess {
  const { deployItems, targets, contexts } = informers;
  const used = createUsedObjects({
    deployItems: deployItems.lister,
    targets: targets.lister,
    contexts: contexts.lister,
  });
  /** Access of the items by their names when the last deletion job started, by its starter. */
  const atStart = new Map<string, ReadonlyMap<string, Access>>();
  const itemsBelow = ({ kind, object }: Starter): readonly DeployItem[] =>
    kind === "Installation" ? listItemsBelow(informers, object) : listDeployItems(deployItems.lister, object);
  return {
    wokenByTarget: (target) => findStarters(informers, used.ofTarget.list(keyOf(target))),
    wokenBySecret: (secret) => findStarters(informers, used.ofTargetSecret.list(keyOf(secret))),
    noteStart: (starter) => {
      const access = itemsBelow(starter).map((item) => [nameOf(item), accessOf(informers, item)] as const);
      atStart.set(keyOfStarter(starter.kind, keyOf(starter.object)), new Map(access));
    },
    isBack: (starter) => {
      const known = atStart.get(keyOfStarter(starter.kind, keyOf(starter.object)));
      const waiting = itemsBelow(starter)
        .filter(hasFailedDeletion)
        .map((item) => ({ item, now: accessOf(informers, item), before: known?.get(nameOf(item)) }))
        .filter(lackedAccess);
      // A job that started with the same objects would fail again.
      return waiting.every(hasAccess) && waiting.some(({ now, before }) => now.version !== before?.version);
    },
    forget: (kind, key) => {
      atStart.delete(keyOfStarter(kind, key));
    },
  };
}
