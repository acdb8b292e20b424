import type { ResourceType, UnstructuredObject } from "@landscaper/api";
import { canBeName, isNotFound, type Client } from "@landscaper/controller-runtime";
import { isJsonObject } from "../json-value.ts";
import { groupOf, versionOf } from "./resource-reference.ts";

export type UnstructuredType = ResourceType<UnstructuredObject>;

/** Knows where the kinds of one cluster live. */
export interface Discovery {
  /** Undefined when the cluster does not serve the kind. A miss is asked again each time: CRDs come and go. */
  find(apiVersion: string, kind: string, signal: AbortSignal): Promise<UnstructuredType | undefined>;
}

/** Discovery over `client`; what was found is kept for as long as the object lives. */
export function createDiscovery(client: Pick<Client, "request">): Discovery {
  const served = new Map<string, ReadonlyMap<string, UnstructuredType>>();
  return {
    async find(apiVersion, kind, signal) {
      const known = served.get(apiVersion)?.get(kind);
      if (known !== undefined) return known;
      const types = await fetchTypes(client, apiVersion, signal);
      served.set(apiVersion, types);
      return types.get(kind);
    },
  };
}

async function fetchTypes(
  client: Pick<Client, "request">,
  apiVersion: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, UnstructuredType>> {
  const [group, version] = [groupOf(apiVersion), versionOf(apiVersion)];
  const segments = group === "" ? [version] : [group, version];
  // Of a manifest, which may say anything: no other path of the server may be asked for.
  if (!segments.every(canBeName)) return new Map();
  const path = `/${[group === "" ? "api" : "apis", ...segments].map(encodeURIComponent).join("/")}`;
  try {
    return parseResourceList(await client.request({ method: "GET", path, signal }), apiVersion);
  } catch (error) {
    if (isNotFound(error)) return new Map();
    throw error;
  }
}

/** Types of an APIResourceList by kind, without subresources. */
export function parseResourceList(list: unknown, apiVersion: string): ReadonlyMap<string, UnstructuredType> {
  const resources = isJsonObject(list) && Array.isArray(list["resources"]) ? list["resources"] : [];
  const types = new Map<string, UnstructuredType>();
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
    });
  }
  return types;
}
