import type { UnstructuredObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { createDiscovery, type Discovery, type UnstructuredType } from "./discovery.ts";
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
}

/** About 150 bytes each. */
const maxWritten = 50_000;

export function createTargetCluster(client: Client): TargetCluster {
  return { client, discovery: createDiscovery(client), written: new WrittenObjects(maxWritten) };
}

/** Where the kind of `reference` lives. Throws LandscaperError when the cluster does not know the kind or cannot be asked. */
export async function findType(
  cluster: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
): Promise<UnstructuredType> {
  const type = await findTypeOrNone(cluster, reference, signal);
  if (type === undefined) throw unknownKind(reference);
  return type;
}

/** The type of a kind, undefined when the cluster does not serve it. Throws LandscaperError naming the object. */
export async function findTypeOrNone(
  cluster: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
): Promise<UnstructuredType | undefined> {
  try {
    return await cluster.discovery.find(reference.apiVersion, reference.kind, signal);
  } catch (error) {
    throw await resourceFailure(error, { verb: "discover", reference });
  }
}

/** Like `findLive` for an entry of an inventory. What an earlier job has recorded without checking it may be the reference of no object. */
export async function findRecorded(
  cluster: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
): Promise<UnstructuredObject | undefined> {
  const type = await findTypeOrNone(cluster, reference, signal);
  return type !== undefined && isAddressable(reference, type.namespaced)
    ? await findLive(cluster, reference, signal)
    : undefined;
}

/** The live object, undefined when it (or its kind) is not there. Throws LandscaperError naming the object, also for a reference without the namespace that its kind needs. */
export async function findLive(
  cluster: TargetCluster,
  reference: ResourceReference,
  signal: AbortSignal,
): Promise<UnstructuredObject | undefined> {
  try {
    const type = await cluster.discovery.find(reference.apiVersion, reference.kind, signal);
    if (type === undefined) return undefined;
    return await cluster.client.find(type, keyOfReference(reference, type.namespaced), { signal });
  } catch (error) {
    throw await resourceFailure(error, { verb: "get", reference });
  }
}
