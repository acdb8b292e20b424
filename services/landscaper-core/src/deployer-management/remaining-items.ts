import {
  allEnvironments,
  annotations,
  conditionTypes,
  finalizer,
  LandscaperError,
  resources,
  type ConditionUpdate,
  type DeployItem,
  type Environment,
} from "@landscaper/api";
import { isConflict, isNotFound } from "@landscaper/controller-runtime";
import { nowOf } from "../core.ts";
import { failDeployItem } from "../deploy-item/fail-deploy-item.ts";
import { annotationOf, hasFinalizer, isDeleting, nameOf, namespaceOf, uidOf } from "../object-reading.ts";
import { byEnvironment } from "./deployer-indexes.ts";
import type { DeployerManagementContext } from "./deployer-management-context.ts";
import type { ManagementRun } from "./made-objects.ts";
import type { ObservedDeployer } from "./observed-environment.ts";
import { pairName } from "./pair.ts";
import { servesNamespace } from "./stamps/claiming-environments.ts";
import { stampOf } from "./stamps/stamp-items.ts";

const reason = "EnvironmentRemoved";
/** Maximum number of items that the condition names. */
const namedItems = 20;

type Listers = Pick<
  DeployerManagementContext,
  "deployItems" | "environments" | "installations" | "registrations" | "targets"
>;

/** Returns the DeployItems of this Environment that no Environment that stays serves, except the items that install its own deployers. Sorted by namespace and name. Reads listers only. */
export function listRemainingItems(
  listers: Listers,
  environment: Environment,
  deployers: readonly Pick<ObservedDeployer, "items">[],
): readonly DeployItem[] {
  const ofDeployers = new Set(deployers.flatMap(({ items }) => items.map(uidOf)));
  const isServedAlone = serviceTest(listers, environment);
  return listers.deployItems
    .list()
    .filter((item) => isServedAlone(item) && !ofDeployers.has(uidOf(item)))
    .toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
}

/**
 * Returns a test for items that no other Environment serves. Another Environment that is being deleted does not count. Exception: it waits for its items, and
 * this Environment abandons its own; the shared items then remain with the other one. An item without a Target has the mark of all Environments. It counts if
 * a deployer of this Environment has worked on it last, and no other Environment has rights in its namespace. An item that this Environment serves no longer
 * counts, too, until another deployer has worked on it: the agent could otherwise hide it.
 */
function serviceTest(listers: Listers, environment: Environment): (item: DeployItem) => boolean {
  const name = nameOf(environment);
  const own = deployerNames(listers, name);
  const others = listers.environments
    .list()
    .filter((other) => nameOf(other) !== name && isServing(listers, other, isAbandoned(environment)));
  const otherNames = new Set(others.map(nameOf));
  const namesOther = (mark: string | undefined): boolean =>
    mark?.split(",").some((one) => otherNames.has(one)) === true;
  const isNamed = (mark: string | undefined): boolean => mark?.split(",").includes(name) === true;
  return (item) => {
    const mark = annotationOf(item, annotations.environments);
    const [deployer = ""] = item.status?.deployer?.identity?.split("/") ?? [];
    if (mark === allEnvironments) {
      return own.has(deployer) && !others.some((other) => servesNamespace(other, { item, target: undefined }));
    }
    const stamp = stampOf(listers, item);
    if (namesOther(mark) || namesOther(stamp)) return false;
    return (isNamed(mark) && isNamed(stamp)) || (own.has(deployer) && hasFinalizer(item, finalizer));
  };
}

/** Identities of the deployers that an Environment has or should have. */
function deployerNames({ registrations, installations }: Listers, environment: string): ReadonlySet<string> {
  const wanted = registrations.list().map((one) => pairName({ registration: nameOf(one), environment }));
  return new Set([...wanted, ...installations.byIndex(byEnvironment, environment).map(nameOf)]);
}

/** Whether the deployers of another Environment stay: always, unless it is being deleted. */
function isServing({ installations }: Listers, other: Environment, waitersCount: boolean): boolean {
  if (!isDeleting(other)) return true;
  const hasDeployers = installations.byIndex(byEnvironment, nameOf(other)).some((one) => !isDeleting(one));
  return waitersCount && !isAbandoned(other) && hasDeployers;
}

/** Whether the deletion continues although items remain (docs/reference/deployer-management.md#removal). */
export function isAbandoned(environment: Environment): boolean {
  return annotationOf(environment, annotations.abandonItems) === nameOf(environment);
}

/** Whether `failRemainingItem` must still fail the item. */
export function isUnfailed({ status }: DeployItem): boolean {
  return status?.lastError?.reason !== reason;
}

/** Returns the condition ItemsRemain of an Environment that is being deleted; undefined if no items remain. */
export function describeRemaining(environment: Environment, items: readonly DeployItem[]): ConditionUpdate | undefined {
  if (!isDeleting(environment) || items.length === 0) return undefined;
  const names = items.slice(0, namedItems).map(pathOf).join(", ");
  const more = items.length > namedItems ? `, and ${items.length - namedItems} more` : "";
  const remedy = isAbandoned(environment)
    ? "They fail when the deployers are uninstalled."
    : `Delete their Installations, or annotate the Environment with ${annotations.abandonItems}=${nameOf(environment)} to leave their objects behind.`;
  const count = items.length === 1 ? "1 DeployItem" : `${items.length} DeployItems`;
  return {
    type: conditionTypes.itemsRemain,
    status: "True",
    reason: isAbandoned(environment) ? "ItemsAbandoned" : "ItemsRemain",
    message: `no Environment that stays serves ${count}: ${names}${more}. ${remedy}`,
  };
}

/** Fails an item that no deployer serves any longer. Ignores a conflict: the concurrent write starts another pass. */
export async function failRemainingItem(
  { context, signal }: ManagementRun,
  { item, environment }: { readonly item: DeployItem; readonly environment: string },
): Promise<void> {
  const error = new LandscaperError({
    message: `Environment ${environment} was removed with the annotation ${annotations.abandonItems}: no deployer serves this DeployItem, and its objects stay on the target`,
    reason,
    operation: "RemoveEnvironment",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "delete the Installation with the annotation landscaper.gardener.cloud/delete-without-uninstall=true, or give its Target to another Environment",
    retry: "never",
  });
  const status = failDeployItem(item, { jobID: item.status?.jobID ?? "", error }, nowOf(context));
  try {
    await context.client.updateStatus(resources.deployItem, { ...item, status }, { signal });
  } catch (cause) {
    if (!isConflict(cause) && !isNotFound(cause)) throw cause;
  }
}

function pathOf(item: DeployItem): string {
  return `${namespaceOf(item)}/${nameOf(item)}`;
}
