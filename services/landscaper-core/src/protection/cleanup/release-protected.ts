import { kubeResources, protectionFinalizer, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { explainError, isConflict, isForbidden, isNotFound, type Client } from "@landscaper/controller-runtime";
import {
  advanceStop,
  repeatCleanup,
  type CleanupContext,
  type DeploymentPlace,
  type Unfinished,
} from "@landscaper/deployer";
import { mapBounded } from "@landscaper/resources";
import { removeFinalizer } from "../../finalizers.ts";
import { hasFinalizer, isDeleting, nameOf, namespaceOf, uidOf } from "../../object-reading.ts";

export interface ReleaseOptions {
  /** Client of the landscaper cluster. `CleanupContext.client` is that of the cluster in which the core runs. */
  readonly landscaper: Client;
  /** Deployment of the core, which is stopped first. Undefined if no core runs. */
  readonly deployment: DeploymentPlace | undefined;
  readonly timeoutMs: number;
}

interface ProtectedObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

const { roleBinding, secret } = kubeResources;
const protectedTypes: readonly ResourceType[] = [resources.target, resources.context, secret, roleBinding];
const requestsAtOnce = 16;
const refusedBindings = `the account may not list RoleBindings: if the core managed deployers earlier, remove ${protectionFinalizer} from their RoleBindings by hand`;

/**
 * Stops the core and removes its finalizers from all objects in use (docs/reference/protection.md#uninstall). Safe to repeat after any failure. Throws
 * LandscaperError (CleanupIncomplete) that names an object with the finalizer, and the refusal of the API server if there is one.
 */
export async function releaseProtected(
  { landscaper, deployment, timeoutMs }: ReleaseOptions,
  context: CleanupContext,
): Promise<void> {
  const deadline = context.clock.elapsed() + timeoutMs;
  await repeatCleanup(context, { deadline, pass: async () => await advanceStop(context, deployment) });
  const released = new Set<string>();
  await repeatCleanup(context, { deadline, pass: async () => await advanceRelease(landscaper, context, released) });
}

/** One pass over all namespaces. `released` has the uids of the objects from which this cleanup has removed the finalizer. */
async function advanceRelease(
  client: Client,
  { signal, log }: CleanupContext,
  released: Set<string>,
): Promise<Unfinished> {
  const bounds = { limit: requestsAtOnce, signal };
  const { items: namespaces } = await client.list(kubeResources.namespace, { metadataOnly: true, signal });
  const refusedNamespaces: string[] = [];
  const lists = await mapBounded(namespaces, bounds, async (namespace) =>
    listProtected(client, { namespace: nameOf(namespace), refusedNamespaces }, signal),
  );
  if (refusedNamespaces.length > 0) log(refusedBindings);
  const found = lists.flat();
  // After the core has stopped, only another client can add the finalizer again.
  const again = found.filter(({ object }) => released.has(uidOf(object)));
  if (again.length > 0) log(`another client has added the finalizer to ${describe(again)} again`);
  const open = found.filter(({ object }) => !released.has(uidOf(object)));
  const problems = await mapBounded(open, bounds, async (item) => await release(client, item, signal));
  const left = open.filter((_, index) => problems[index] !== undefined);
  for (const item of open) if (!left.includes(item)) released.add(uidOf(item.object));
  const deleted = open.filter((item) => isDeleting(item.object) && !left.includes(item));
  if (deleted.length > 0) log(`${describe(deleted)} was deleted before, and is removed now`);
  log(`removed the finalizer of ${open.length - left.length} objects`);
  if (left.length === 0) return undefined;
  return {
    problem: `${describe(left)} still has the finalizer ${protectionFinalizer}: ${problems.find((problem) => problem !== undefined)}`,
    hint: "correct what the message names, then uninstall again: the cleanup continues",
  };
}

/** Returns why the finalizer could not be removed; undefined if it is removed. One refused object must not keep the others. */
async function release(
  client: Client,
  { type, object }: ProtectedObject,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await removeFinalizer(client, { type, object, finalizer: protectionFinalizer }, signal);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) return undefined;
    return isConflict(error) ? "another client changes it" : explainError(error);
  }
}

function describe(objects: readonly ProtectedObject[]): string {
  const [first] = objects;
  if (first === undefined) return "no object";
  const name = `${first.type.kind} ${namespaceOf(first.object)}/${nameOf(first.object)}`;
  return objects.length === 1 ? name : `${name} and ${objects.length - 1} more`;
}

interface NamespaceToList {
  readonly namespace: string;
  /** Gets the namespace if its RoleBindings may not be listed. */
  readonly refusedNamespaces: string[];
}

/** A list of each namespace: all Secrets of a large cluster at once could exceed the memory of the Job. */
async function listProtected(
  client: Client,
  { namespace, refusedNamespaces }: NamespaceToList,
  signal: AbortSignal,
): Promise<readonly ProtectedObject[]> {
  const found: ProtectedObject[] = [];
  for (const type of protectedTypes) {
    try {
      const { items } = await client.list<KubeObject>(type, { namespace, metadataOnly: true, signal });
      const kept = items.filter((object) => hasFinalizer(object, protectionFinalizer));
      found.push(...kept.map((object) => ({ type, object })));
    } catch (error) {
      // The CRDs have been deleted, and the objects with them.
      if (isNotFound(error)) continue;
      // A core without deployer management may not list RoleBindings.
      if (type !== roleBinding || !isForbidden(error)) throw error;
      refusedNamespaces.push(namespace);
    }
  }
  return found;
}
