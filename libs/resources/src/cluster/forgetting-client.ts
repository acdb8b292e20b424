import type { KubeObject, ResourceType } from "@landscaper/api";
import { isNotServed, type Client } from "@landscaper/controller-runtime";
import type { Discovery } from "./discovery.ts";

/**
 * The client of a cluster whose kinds `discovery` knows. When the API server does not serve the version of a request, discovery forgets it: the
 * request fails, and the next try asks for the versions that are served now.
 */
export function createForgettingClient(client: Client, discovery: Pick<Discovery, "forget">): Client {
  const forgetting = async <T extends KubeObject, R>(type: ResourceType<T>, request: Promise<R>): Promise<R> => {
    try {
      return await request;
    } catch (error) {
      if (isNotServed(error)) discovery.forget(type);
      throw error;
    }
  };
  return {
    ...client,
    get: async (type, ...args) => await forgetting(type, client.get(type, ...args)),
    list: async (type, ...args) => await forgetting(type, client.list(type, ...args)),
    create: async (type, ...args) => await forgetting(type, client.create(type, ...args)),
    update: async (type, ...args) => await forgetting(type, client.update(type, ...args)),
    updateStatus: async (type, ...args) => await forgetting(type, client.updateStatus(type, ...args)),
    patch: async (type, ...args) => await forgetting(type, client.patch(type, ...args)),
    delete: async (type, ...args) => await forgetting(type, client.delete(type, ...args)),
  };
}
