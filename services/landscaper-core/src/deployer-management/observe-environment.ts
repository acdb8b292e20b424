import {
  allEnvironments,
  annotations,
  deployerManagementFinalizer,
  environmentKind,
  formatKey,
  isJobAtWork,
  isJobOpen,
  keyOf,
  type DeployItem,
  type Installation,
  type ObjectKey,
  type Target,
} from "@landscaper/api";
import { listDeployItems } from "../execution/deploy-item-index.ts";
import { listSubinstallations } from "../installation/imports/siblings.ts";
import {
  annotationOf,
  controllerOf,
  hasFinalizer,
  isDeleting,
  namespaceOf,
  parentOf,
  uidOf,
} from "../object-reading.ts";
import { observeSecrets } from "./agent-secrets/observe-secrets.ts";
import { byEnvironment } from "./deployer-indexes.ts";
import type { DeployerManagementContext } from "./deployer-management-context.ts";
import { findMissingNamespaces } from "./rights/missing-namespaces.ts";
import type { ObservedBinding, ObservedDeployer, ObservedEnvironment, WaitingItem } from "./observed-environment.ts";
import { pairOf } from "./pair.ts";
import { listRemainingItems } from "./remaining-items.ts";

type Listers = Pick<DeployerManagementContext, "installations" | "executions" | "deployItems">;

/** DeployItems of an Installation and of its subinstallations. */
function listItems(listers: Listers, installation: Installation): readonly DeployItem[] {
  const children = listSubinstallations(listers.installations, installation);
  const name = installation.status?.executionRef?.name;
  const key = { namespace: namespaceOf(installation), name: name ?? "" };
  const execution = name === undefined ? undefined : listers.executions.get(key);
  const isOwn = execution !== undefined && controllerOf(execution, "Installation")?.uid === uidOf(installation);
  const own = isOwn ? listDeployItems(listers.deployItems, execution) : [];
  return [...own, ...children.flatMap((child) => listItems(listers, child))];
}

function observeDeployer(context: DeployerManagementContext, installation: Installation): readonly ObservedDeployer[] {
  const names = pairOf(installation);
  if (names === undefined) return [];
  const provides = context.registrations.get({ name: names.registration })?.spec.types ?? [];
  const items = listItems(context, installation);
  return [{ names, installation, provides, items, waiting: items.flatMap((item) => observeWaiting(context, item)) }];
}

function observeWaiting({ sightings, clock }: DeployerManagementContext, item: DeployItem): readonly WaitingItem[] {
  const { status, spec } = item;
  if (!isJobOpen(status)) return [];
  const sighting = sightings.get(formatKey(keyOf(item)));
  const isOfJob = sighting?.uid === item.metadata.uid && sighting?.jobID === status?.jobID;
  if (sighting === undefined || !isOfJob) {
    return isJobAtWork(status?.phase) ? [] : [{ type: spec.type, sinceMs: clock.elapsed() }];
  }
  return sighting.isPickedUp ? [] : [{ type: spec.type, sinceMs: sighting.opened.elapsedMs }];
}

function findHostTarget({ targets, settings }: DeployerManagementContext, name: string): Target | undefined {
  const target = targets.get({ namespace: settings.namespace, name });
  const isOurs = target !== undefined && controllerOf(target, environmentKind.type.kind)?.name === name;
  return isOurs && hasFinalizer(target, deployerManagementFinalizer) ? target : undefined;
}

/** Bindings of the deployers of an Environment, in all namespaces. */
export function observeBindings(
  { clusterBindings, roleBindings }: Pick<DeployerManagementContext, "clusterBindings" | "roleBindings">,
  environment: string,
): readonly ObservedBinding[] {
  const bindings = [clusterBindings, roleBindings].flatMap((lister) => lister.byIndex(byEnvironment, environment));
  return bindings.flatMap((binding) => {
    const names = pairOf(binding);
    return names === undefined ? [] : [{ names, binding }];
  });
}

/** Reads listers alone. */
export function observeEnvironment(context: DeployerManagementContext, name: string): ObservedEnvironment {
  const environment = context.environments.get({ name });
  const installations = context.installations.byIndex(byEnvironment, name);
  const deployers = installations.flatMap((installation) => observeDeployer(context, installation));
  const isGoing = environment !== undefined && isDeleting(environment);
  return {
    name,
    environment,
    registrations: context.registrations.list(),
    deployers,
    remainingItems: isGoing ? listRemainingItems(context, environment, deployers) : [],
    bindings: observeBindings(context, name),
    missingNamespaces: environment === undefined ? [] : findMissingNamespaces(context, environment),
    agentSecrets: observeSecrets(context, name, installations),
    hostTarget: findHostTarget(context, name),
  };
}

/** Returns the Environments that are being deleted and serve the item. */
export function deletedEnvironmentsOfItem(
  { environments }: Pick<DeployerManagementContext, "environments">,
  item: DeployItem,
): readonly ObjectKey[] {
  const mark = annotationOf(item, annotations.environments);
  const names = mark?.split(",") ?? [];
  const serving =
    mark === allEnvironments ? environments.list() : names.flatMap((name) => environments.get({ name }) ?? []);
  return serving.filter(isDeleting).map(keyOf);
}

/** The Environment whose deployer a DeployItem belongs to. */
export function environmentOfItem(listers: Listers, item: DeployItem): readonly ObjectKey[] {
  const namespace = namespaceOf(item);
  const execution = listers.executions.get({ namespace, name: controllerOf(item, "Execution")?.name ?? "" });
  let name = execution === undefined ? undefined : controllerOf(execution, "Installation")?.name;
  // Names of parents are data: a ring of them shall end.
  for (const seen = new Set<string>(); name !== undefined && !seen.has(name);) {
    seen.add(name);
    const installation = listers.installations.get({ namespace, name });
    if (installation === undefined) return [];
    const pair = pairOf(installation);
    if (pair !== undefined) return [{ name: pair.environment }];
    name = parentOf(installation)?.name;
  }
  return [];
}
