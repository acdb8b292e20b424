import type { FetchObject } from "@landscaper/helm";
import { findLive, findType, resourceFailure, type TargetCluster } from "@landscaper/resources";

/** `lookup` on a cluster: an object, or with an empty name a list as the API server gives it. */
export function liveLookup(cluster: TargetCluster, signal: AbortSignal): FetchObject {
  return async ({ apiVersion, kind, namespace, name }) => {
    const reference = { apiVersion, kind, name, ...(namespace === "" ? {} : { namespace }) };
    const type = await findType(cluster, reference, signal);
    if (name !== "") {
      // There is no such path: an object of a namespaced kind is in a namespace.
      if (type.namespaced && namespace === "") return undefined;
      return await findLive(cluster, reference, signal);
    }
    try {
      const { items } = await cluster.client.list(type, { ...(namespace === "" ? {} : { namespace }), signal });
      return { apiVersion, kind: `${kind}List`, items: items.map((item) => ({ ...item, apiVersion, kind })) };
    } catch (error) {
      throw await resourceFailure(error, { verb: "list", reference: { ...reference, name: "*" } });
    }
  };
}
