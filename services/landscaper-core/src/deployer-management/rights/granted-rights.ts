import { keyOf, kubeResources, LandscaperError, type ClusterRole, type RoleBinding } from "@landscaper/api";
import { isAlreadyExists } from "@landscaper/controller-runtime";
import { deleteObject } from "../../ensure-object.ts";
import { isSameJson } from "../../is-same-json.ts";
import { isDeleting, namespaceOf } from "../../object-reading.ts";
import { buildBindings, sharedRoles } from "./build-accounts.ts";
import { ensureBinding } from "./ensure-binding.ts";
import { isOfSamePair, takenName, withMetadata, type ManagementRun } from "../made-objects.ts";
import { findMissingNamespaces } from "./missing-namespaces.ts";
import type { Pair } from "../pair.ts";

/** The two roles that all deployers share, with the rules of this release. */
export async function ensureRoles(run: ManagementRun): Promise<void> {
  for (const desired of sharedRoles) await ensureRole(run, desired);
}

async function ensureRole({ context, signal }: ManagementRun, desired: ClusterRole): Promise<void> {
  const { client, clusterRoles } = context;
  const type = kubeResources.clusterRole;
  const key = keyOf(desired);
  const existing = clusterRoles.map((lister) => lister.get(key)).find((role) => role !== undefined);
  if (existing !== undefined) {
    const isCurrent = isSameJson(existing.rules, desired.rules);
    if (!isCurrent) await client.update(type, { ...existing, rules: desired.rules ?? [] }, { signal });
    return;
  }
  try {
    await client.create(type, desired, { signal });
  } catch (error) {
    // It is there already, but not in the cache yet: its event wakes the Environments again.
    if (!isAlreadyExists(error)) throw error;
  }
}

/**
 * Grants a deployer its rights, except in namespaces that do not exist. If a user has taken the name of a binding in one namespace, the deployer still gets
 * its rights in the others. Returns the first such error.
 */
export async function grantRights(run: ManagementRun, pair: Pair): Promise<LandscaperError | undefined> {
  const { settings } = run.context;
  const missing = new Set(findMissingNamespaces(run.context, pair.environment));
  let problem: LandscaperError | undefined;
  for (const desired of buildBindings(pair, settings)) {
    if (missing.has(namespaceOf(desired))) continue;
    try {
      await grant(run, desired);
    } catch (error) {
      if (!(error instanceof LandscaperError)) throw error;
      problem ??= error;
    }
  }
  return problem;
}

async function grant({ context, signal }: ManagementRun, desired: RoleBinding): Promise<void> {
  const { client, clusterBindings, roleBindings } = context;
  const type = bindingType(desired);
  const lister = type === kubeResources.roleBinding ? roleBindings : clusterBindings;
  const merge = (existing: RoleBinding): RoleBinding => {
    if (!isOfSamePair(existing, desired)) throw takenName(desired);
    return { ...existing, ...desired, metadata: withMetadata(existing, desired) };
  };
  /** In a namespace that is being deleted, the API server refuses the new object: the deployer keeps the rights of the old one for its uninstallations. */
  const mayReplace = async ({ metadata: { namespace: name = "" } }: RoleBinding): Promise<boolean> => {
    const namespace = await client.find(kubeResources.namespace, { name }, { signal });
    return namespace !== undefined && !isDeleting(namespace);
  };
  await ensureBinding({ client, type, lister, desired, merge, mayReplace, signal });
}

export async function deleteBinding({ context, signal }: ManagementRun, object: RoleBinding): Promise<void> {
  await deleteObject(context.client, { type: bindingType(object), object }, signal);
}

function bindingType({ metadata }: RoleBinding) {
  return metadata.namespace === undefined ? kubeResources.clusterRoleBinding : kubeResources.roleBinding;
}
