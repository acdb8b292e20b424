import type { ResourceType, UnstructuredObject } from "@landscaper/api";
import { ApiError, canBeName, isNotFound, type Client } from "@landscaper/controller-runtime";
import { isJsonObject } from "../json-value.ts";
import { findSimilarType, type SimilarType } from "./find-similar-type.ts";
import { groupOf, groupsOfKind, versionOf } from "./resource-reference.ts";

export interface UnstructuredType extends ResourceType<UnstructuredObject> {
  /** True if the kind has the subresource `status`. */
  readonly hasStatus?: boolean;
}

/** Knows where the kinds of one cluster live. */
export interface Discovery {
  /** Undefined when the cluster does not serve the kind. A miss is asked again each time: CRDs come and go. */
  find(apiVersion: string, kind: string, signal: AbortSignal): Promise<UnstructuredType | undefined>;
  /**
   * Like `find`, for objects that exist: if `apiVersion` is no longer served, the objects exist in another version of the group, or in
   * the group that Kubernetes has moved the kind to. Undefined only if no version is served. Throws ApiError if a
   * group lists a version that does not answer.
   */
  locate(apiVersion: string, kind: string, signal: AbortSignal): Promise<UnstructuredType | undefined>;
  /** The type that was probably meant by one that the cluster does not serve, see `findSimilarType`. The answer is kept. */
  suggest(apiVersion: string, kind: string, signal: AbortSignal): Promise<SimilarType | undefined>;
  /** The cluster may have stopped serving the version of `type`: the next call asks again. */
  forget(type: Pick<UnstructuredType, "group" | "version">): void;
}

/** Names come from manifests of users: their number must be bounded. */
const maxSuggestions = 100;

/** Discovery over `client`; what was found is kept for as long as the object lives. */
export function createDiscovery(client: Pick<Client, "request">): Discovery {
  const served = new Map<string, ReadonlyMap<string, UnstructuredType>>();
  const findBy = async (fetch: TypeSource, ...[apiVersion, kind, signal]: Parameters<Discovery["find"]>) => {
    const known = served.get(apiVersion)?.get(kind);
    if (known !== undefined) return known;
    const types = await fetch(client, apiVersion, signal);
    served.set(apiVersion, types ?? new Map());
    return types?.get(kind);
  };
  const suggested = new Map<string, SimilarType | undefined>();
  const find: Discovery["find"] = async (...asked) => await findBy(fetchTypes, ...asked);
  return {
    find,
    async locate(apiVersion, kind, signal) {
      const found = await find(apiVersion, kind, signal);
      if (found !== undefined) return found;
      for (const group of groupsOfKind(apiVersion, kind)) {
        for (const version of await fetchVersions(client, group, signal)) {
          const type = await findBy(demandTypes, `${group}/${version}`, kind, signal);
          if (type !== undefined) return type;
        }
      }
      return undefined;
    },
    async suggest(apiVersion, kind, signal) {
      const key = JSON.stringify([apiVersion, kind]);
      if (suggested.has(key)) return suggested.get(key);
      const kindsOf = async (version: string) => served.get(version) ?? (await fetchTypes(client, version, signal));
      const similar = await findSimilarType({ apiVersion, kind }, { client, kindsOf, signal });
      if (suggested.size >= maxSuggestions) suggested.clear();
      suggested.set(key, similar);
      return similar;
    },
    forget: ({ group, version }) => void served.delete(group === "" ? version : `${group}/${version}`),
  };
}

type TypeSource = typeof fetchTypes;

/** Served versions of a group, the preferred one first; none if the cluster does not have the group. The core group has one version. */
async function fetchVersions(
  client: Pick<Client, "request">,
  group: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (group === "" || !canBeName(group)) return [];
  try {
    const answer = await client.request({ method: "GET", path: `/apis/${encodeURIComponent(group)}`, signal });
    const versions = isJsonObject(answer) && Array.isArray(answer["versions"]) ? answer["versions"] : [];
    return versions.flatMap((each) =>
      isJsonObject(each) && typeof each["version"] === "string" ? [each["version"]] : [],
    );
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** Types of a version that its group lists. Throws ApiError if the server does not serve it: the version is being added or removed, or its API service is down. */
async function demandTypes(
  client: Pick<Client, "request">,
  apiVersion: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, UnstructuredType>> {
  const types = await fetchTypes(client, apiVersion, signal);
  if (types !== undefined) return types;
  const message = `the group lists version ${apiVersion}, but the server does not serve it at present`;
  throw new ApiError({ method: "GET", path: `/apis/${apiVersion}` }, { status: 503, statusObject: { message } });
}

/** Undefined if the server does not serve the version. */
async function fetchTypes(
  client: Pick<Client, "request">,
  apiVersion: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, UnstructuredType> | undefined> {
  const [group, version] = [groupOf(apiVersion), versionOf(apiVersion)];
  const segments = group === "" ? [version] : [group, version];
  // Of a manifest, which may say anything: no other path of the server may be asked for.
  if (!segments.every(canBeName)) return undefined;
  const path = `/${[group === "" ? "api" : "apis", ...segments].map(encodeURIComponent).join("/")}`;
  try {
    return parseResourceList(await client.request({ method: "GET", path, signal }), apiVersion);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Types of an APIResourceList by kind, without subresources. */
export function parseResourceList(list: unknown, apiVersion: string): ReadonlyMap<string, UnstructuredType> {
  const resources = isJsonObject(list) && Array.isArray(list["resources"]) ? list["resources"] : [];
  const types = new Map<string, UnstructuredType>();
  const names = new Set(resources.map((resource) => (isJsonObject(resource) ? resource["name"] : undefined)));
  for (const resource of resources) {
    if (!isJsonObject(resource)) continue;
    const { name, kind, namespaced } = resource;
    if (typeof name !== "string" || typeof kind !== "string" || name.includes("/")) continue;
    types.set(kind, {
      group: groupOf(apiVersion),
      version: versionOf(apiVersion),
      kind,
      plural: name,
      namespaced: namespaced === true,
      ...(names.has(`${name}/status`) ? { hasStatus: true } : {}),
    });
  }
  return types;
}
