import type { Client } from "@landscaper/controller-runtime";
import type { TargetCluster } from "../cluster/target-cluster.ts";

/** The cluster as `createDryRunClient` shows it. What a dry run "writes" must not be remembered as written. */
export function createDryRunCluster(cluster: TargetCluster): TargetCluster {
  return { ...cluster, client: createDryRunClient(cluster.client), written: undefined };
}

/**
 * A client that cannot change anything: reads are reads, and every write is sent as a dry run, which the API server checks,
 * completes and forgets. What has no dry run here is refused before it is sent.
 */
export function createDryRunClient(client: Client): Client {
  return {
    server: client.server,
    mask: client.mask.bind(client),
    get: client.get.bind(client),
    find: client.find.bind(client),
    list: client.list.bind(client),
    watch: client.watch.bind(client),
    stream: client.stream.bind(client),
    create: (type, object, options) => client.create(type, object, { ...options, dryRun: true }),
    update: (type, object, options) => client.update(type, object, { ...options, dryRun: true }),
    updateStatus: (type, object, options) => client.updateStatus(type, object, { ...options, dryRun: true }),
    patch: (type, key, patch) => client.patch(type, key, { ...patch, dryRun: true }),
    delete: () => Promise.reject(new Error("a dry run deletes nothing")),
    request: (request) =>
      request.method === "GET" ? client.request(request) : Promise.reject(new Error("a dry run only reads")),
    // Closing is the business of whoever opened the client.
    close: () => Promise.resolve(),
  };
}
