import { findNearestName } from "@landscaper/api";
import { ApiError, type Client } from "@landscaper/controller-runtime";
import { isJsonObject } from "../json-value.ts";
import type { UnstructuredType } from "./discovery.ts";
import { groupOf, versionOf } from "./resource-reference.ts";

/** Kinds by name of a version such as "apps/v1"; undefined if the server does not serve it. */
export type KindSource = (apiVersion: string) => Promise<ReadonlyMap<string, UnstructuredType> | undefined>;

/** A version and a kind that the cluster serves. */
export interface SimilarType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** More groups are not searched: each is a request. Kubernetes itself has about twenty. */
const maxSearchedGroups = 24;

/**
 * Finds the type that a manifest probably meant if the cluster does not serve its own: a kind with a similar name in the same version, or the same
 * kind in the group with the most similar name, in the core group, or in another group of Kubernetes. Undefined if there is none, or if the
 * cluster refuses discovery.
 */
export async function findSimilarType(
  { apiVersion, kind }: SimilarType,
  {
    client,
    kindsOf,
    signal,
  }: { readonly client: Pick<Client, "request">; readonly kindsOf: KindSource; readonly signal: AbortSignal },
): Promise<SimilarType | undefined> {
  try {
    const similar = findNearestName(kind, [...((await kindsOf(apiVersion))?.keys() ?? [])]);
    if (similar !== undefined) return { apiVersion, kind: similar };
    const versions = parseGroups(await client.request({ method: "GET", path: "/apis", signal }));
    for (const candidate of orderCandidates(apiVersion, versions)) {
      if ((await kindsOf(candidate))?.has(kind) === true) return { apiVersion: candidate, kind };
    }
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Preferred versions of an APIGroupList, such as "apps/v1". */
function parseGroups(list: unknown): readonly string[] {
  const groups = isJsonObject(list) && Array.isArray(list["groups"]) ? list["groups"] : [];
  return groups.flatMap((group) => {
    const preferred = isJsonObject(group) ? group["preferredVersion"] : undefined;
    const version = isJsonObject(preferred) ? preferred["groupVersion"] : undefined;
    return typeof version === "string" ? [version] : [];
  });
}

/** Versions in the order of their probability. Other groups have names of domains: only the most similar one is probable. */
function orderCandidates(apiVersion: string, versions: readonly string[]): readonly string[] {
  const nearest = findNearestName(groupOf(apiVersion), versions.map(groupOf));
  const ofKubernetes = versions.filter((version) => /^[^.]+$|\.k8s\.io$/.test(groupOf(version)));
  const similar = versions.filter((version) => groupOf(version) === nearest);
  // A version without a group may be the name of a group: "apps" instead of "apps/v1".
  const named = versions.filter((version) => groupOf(version) === versionOf(apiVersion));
  const candidates = [...similar, ...named, "v1", ...ofKubernetes].filter((version) => version !== apiVersion);
  return [...new Set(candidates)].slice(0, maxSearchedGroups);
}
