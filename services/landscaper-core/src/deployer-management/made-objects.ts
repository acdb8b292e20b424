import {
  annotations,
  deployerManagementFinalizer,
  keyOf,
  kubeResources,
  LandscaperError,
  reconcilePolicyOnChange,
  resources,
  type Installation,
  type KubeObject,
  type ResourceType,
  type ServiceAccount,
  type Target,
} from "@landscaper/api";
import { isAlreadyExists } from "@landscaper/controller-runtime";
import { ensureObject } from "../ensure-object.ts";
import { isSameJson } from "../is-same-json.ts";
import { addFinalizer, removeFinalizer, withFinalizer } from "../finalizers.ts";
import { annotationOf, isDeleting, nameOf } from "../object-reading.ts";
import { isControlledBy } from "./rights/build-accounts.ts";
import type { DeployerManagementContext } from "./deployer-management-context.ts";
import { pairOf } from "./pair.ts";

/** One pass for one Environment. */
export interface ManagementRun {
  readonly context: DeployerManagementContext;
  readonly signal: AbortSignal;
}

/** The error for a name that something else has. */
export function takenName(object: KubeObject): LandscaperError {
  const { namespace } = object.metadata;
  const where = namespace === undefined ? "" : ` in namespace ${namespace}`;
  return new LandscaperError({
    message: `${object.kind} ${nameOf(object)}${where} exists already and was made for something else: it is left alone`,
    reason: "DeployerConflict",
    operation: "InstallDeployer",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "delete it, or create the DeployerRegistration or the Environment with another name",
  });
}

/** The wanted labels and annotations over those that are there. */
export function withMetadata<T extends KubeObject>(existing: T, desired: T): T["metadata"] {
  const { labels: wantedLabels, annotations: wantedAnnotations } = desired.metadata;
  const { metadata } = existing;
  return {
    ...metadata,
    ...(wantedLabels === undefined ? {} : { labels: { ...metadata.labels, ...wantedLabels } }),
    ...(wantedAnnotations === undefined ? {} : { annotations: { ...metadata.annotations, ...wantedAnnotations } }),
  };
}

/** `a-b` and `c` have the name of `a` and `b-c`: labels tell whose object it is. */
export function isOfSamePair(existing: KubeObject, desired: KubeObject): boolean {
  return isSameJson(pairOf(existing), pairOf(desired));
}

/** Writes the Installation of a deployer, without starting a job of a new one. */
export async function ensureInstallation(run: ManagementRun, desired: Installation): Promise<Installation> {
  const { client, installations: lister } = run.context;
  return await ensureObject({
    client,
    type: resources.installation,
    lister,
    desired,
    signal: run.signal,
    merge: (existing) => {
      if (!isOfSamePair(existing, desired)) throw takenName(desired);
      if (isDeleting(existing)) return existing;
      const metadata = {
        ...withMetadata(existing, desired),
        finalizers: withFinalizer(existing, deployerManagementFinalizer),
      };
      return { ...existing, spec: desired.spec, metadata };
    },
  });
}

/** From now on jobs of the Installation start by themselves: for the first time, and when it or its imports change. */
export async function startJobs({ context, signal }: ManagementRun, installation: Installation): Promise<void> {
  if (annotationOf(installation, annotations.reconcilePolicy) === reconcilePolicyOnChange) return;
  const body = { metadata: { annotations: { [annotations.reconcilePolicy]: reconcilePolicyOnChange } } };
  await context.client.patch(resources.installation, keyOf(installation), { type: "merge", body, signal });
}

/**
 * An object that the Installation controls. Undefined while one of an earlier Installation of that name is still there: the garbage
 * collector takes it away.
 */
async function ownedBy<T extends KubeObject>(
  owner: Installation,
  desired: T,
  found: T | undefined,
): Promise<T | undefined> {
  if (found === undefined || isControlledBy(found, owner)) return found;
  if (!isOfSamePair(found, desired)) throw takenName(desired);
  return undefined;
}

/** The account of a deployer; undefined while that of an earlier Installation has not gone. */
export async function ensureAccount(
  { context, signal }: ManagementRun,
  owner: Installation,
  desired: ServiceAccount,
): Promise<ServiceAccount | undefined> {
  const { client, accounts } = context;
  const type = kubeResources.serviceAccount;
  const cached = accounts.get(keyOf(desired));
  if (cached !== undefined) return ownedBy(owner, desired, cached);
  try {
    return await client.create(type, desired, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return ownedBy(owner, desired, await client.find(type, keyOf(desired), { signal }));
  }
}

/** The Target of a deployer; false while that of an earlier Installation has not gone. */
export async function ensureDeployerTarget(run: ManagementRun, owner: Installation, desired: Target): Promise<boolean> {
  const { client, targets: lister } = run.context;
  let isOwn = true;
  await ensureObject({
    client,
    type: resources.target,
    lister,
    desired,
    signal: run.signal,
    merge: (existing) => {
      if (!isOfSamePair(existing, desired)) throw takenName(desired);
      isOwn = isControlledBy(existing, owner);
      return isOwn ? { ...existing, spec: desired.spec, metadata: withMetadata(existing, desired) } : existing;
    },
  });
  return isOwn;
}

/** The Target of an Environment's host. */
export async function ensureHostTarget(run: ManagementRun, desired: Target): Promise<void> {
  const { client, targets: lister } = run.context;
  const [owner] = desired.metadata.ownerReferences ?? [];
  await ensureObject({
    client,
    type: resources.target,
    lister,
    desired,
    signal: run.signal,
    merge: (existing) => {
      const owners = existing.metadata.ownerReferences ?? [];
      const isOfName = owners.some(({ kind, name }) => kind === owner?.kind && name === owner.name);
      if (!isOfName) throw takenName(desired);
      // The garbage collector takes away that of an earlier Environment, and it is made again then.
      if (isDeleting(existing) || owners.every(({ uid }) => uid !== owner?.uid)) return existing;
      const metadata = {
        ...withMetadata(existing, desired),
        finalizers: withFinalizer(existing, deployerManagementFinalizer),
      };
      return { ...existing, spec: desired.spec, metadata };
    },
  });
}

/** Removes the finalizer of deployer management. Throws ApiError. */
export async function removeManagementFinalizer<T extends KubeObject>(
  { context, signal }: ManagementRun,
  target: { readonly type: ResourceType<T>; readonly object: T },
): Promise<void> {
  await removeFinalizer(context.client, { ...target, finalizer: deployerManagementFinalizer }, signal);
}

/** Adds the finalizer of deployer management. Throws ApiError. */
export async function addManagementFinalizer<T extends KubeObject>(
  { context, signal }: ManagementRun,
  target: { readonly type: ResourceType<T>; readonly object: T },
): Promise<void> {
  await addFinalizer(context.client, { ...target, finalizer: deployerManagementFinalizer }, signal);
}
