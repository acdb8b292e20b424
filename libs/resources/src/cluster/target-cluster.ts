import type { UnstructuredObject } from "@landscaper/api";
import { isNotFound, isNotServed, type Client } from "@landscaper/controller-runtime";
import { createForgettingClient } from "./forgetting-client.ts";
import { createDiscovery, type Discovery, type UnstructuredType } from "./discovery.ts";
import type { SimilarType } from "./find-similar-type.ts";
import { resourceFailure, unknownKind } from "./resource-failure.ts";
import { isAddressable, keyOfReference, type ResourceReference } from "./resource-reference.ts";
import type { SentSecrets } from "./sent-secrets.ts";
import { WrittenObjects } from "../apply/written-objects.ts";

/** A cluster that objects are deployed to. */
export interface TargetCluster {
  readonly client: Client;
  readonly discovery: Discovery;
  /** What was written last; without it unchanged objects may be written again. */
  readonly written?: WrittenObjects | undefined;
  /** What of the objects that are sent through this value is secret. Default: everything. */
  readonly sentSecrets?: SentSecrets | undefined;
  /** Secret values of the item. Logs of its workloads may contain them. */
  readonly itemSecrets?: readonly unknown[] | undefined;
}

/** About 150 bytes each. */
const maxWritten = 50_000;

export function createTargetCluster(client: Client): TargetCluster {
  const discovery = createDiscovery(client);
  return { client: createForgettingClient(client, discovery), discovery, written: new WrittenObjects(maxWritten) };
}

/** Where the kind of `reference` lives. Throws LandscaperError when the cluster does not know the kind or cannot be asked. */
export async function findType(
  cluster: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
): Promise<UnstructuredType> {
  const type = await findTypeOrNone(cluster, reference, signal);
  if (type !== undefined) return type;
  const served = await locateTypeOrNone(cluster, reference, signal);
  if (served !== undefined) throw unknownKind(reference, { served });
  throw unknownKind(reference, { similar: await suggestType(cluster, reference, signal) });
}

async function suggestType(
  { discovery }: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
): Promise<SimilarType | undefined> {
  try {
    return await discovery.suggest(reference.apiVersion, reference.kind, signal);
  } catch (error) {
    throw await resourceFailure(error, { verb: "discover", reference });
  }
}

/** Where the objects of a kind are now, even if their version is no longer served. Throws LandscaperError like `findType`. */
export async function locateType(
  cluster: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
): Promise<UnstructuredType> {
  const type = await locateTypeOrNone(cluster, reference, signal);
  if (type === undefined) throw unknownKind(reference);
  return type;
}

/** The type of a kind, undefined when the cluster does not serve it. Throws LandscaperError naming the object. */
export const findTypeOrNone: TypeLookup = lookUpBy("find");

/** Like `locateType`, undefined when the cluster serves no version of the kind. */
export const locateTypeOrNone: TypeLookup = lookUpBy("locate");

type TypeLookup = (
  cluster: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
) => Promise<UnstructuredType | undefined>;

function lookUpBy(method: "find" | "locate"): TypeLookup {
  return async ({ discovery }, reference, signal) => {
    try {
      return await discovery[method](reference.apiVersion, reference.kind, signal);
    } catch (error) {
      throw await resourceFailure(error, { verb: "discover", reference });
    }
  };
}

export interface WorkAtType<T> {
  readonly cluster: TargetCluster;
  readonly reference: ResourceReference;
  /** The result when the cluster has no such object, or no longer serves any version of its kind. */
  readonly absent: T;
  readonly signal: AbortSignal;
}

/**
 * Works on objects where their kind is served now. `work` must rethrow the API server's 404. A 404 may mean that a version that
 * discovery saw earlier is no longer served: then discovery is repeated, and `work` called once more. Throws LandscaperError when the
 * cluster cannot be asked for the kind, and what `work` throws.
 */
export async function workWhereServed<T>(
  { cluster, reference, absent, signal }: WorkAtType<T>,
  work: (type: UnstructuredType) => Promise<T>,
): Promise<T> {
  const type = await locateTypeOrNone(cluster, reference, signal);
  if (type === undefined) return absent;
  try {
    return await work(type);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (!isNotServed(error)) return absent;
  }
  // The client has made discovery forget the version.
  const present = await locateTypeOrNone(cluster, reference, signal);
  if (present === undefined || apiVersionOf(present) === apiVersionOf(type)) return absent;
  try {
    return await work(present);
  } catch (error) {
    if (isNotFound(error)) return absent;
    throw error;
  }
}

function apiVersionOf({ group, version }: UnstructuredType): string {
  return `${group}/${version}`;
}

/** Like `findLive` for an entry of an inventory. What an earlier job has recorded without checking it may be the reference of no object. */
export async function findRecorded(
  cluster: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
): Promise<UnstructuredObject | undefined> {
  const type = await locateTypeOrNone(cluster, reference, signal);
  return type !== undefined && isAddressable(reference, type.namespaced)
    ? await findLive(cluster, reference, signal)
    : undefined;
}

/** The live object, undefined when it (or its kind, in all versions) is not there. Throws LandscaperError naming the object, also for a reference without the namespace that its kind needs. */
export async function findLive(
  cluster: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
): Promise<UnstructuredObject | undefined> {
  try {
    return await workWhereServed<UnstructuredObject | undefined>(
      { cluster, reference, absent: undefined, signal },
      (type) => cluster.client.get(type, keyOfReference(reference, type.namespaced), { signal }),
    );
  } catch (error) {
    throw await resourceFailure(error, { verb: "get", reference });
  }
}
