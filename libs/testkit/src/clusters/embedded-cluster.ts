import {
  connectionFromKubeconfig,
  createClient,
  type Client,
  type ClientOptions,
  type Connection,
} from "@landscaper/controller-runtime";
import { startLocalCluster, type LocalCluster, type LocalClusterOptions } from "@landscaper/local-cluster";
import { installCrds } from "./install-crds.ts";
import { createNamespace, type TestNamespace } from "./test-namespace.ts";

export interface EmbeddedClusterOptions extends LocalClusterOptions {
  /** Whether it serves the kinds of Landscaper. Default: it comes without. */
  readonly crds?: boolean;
  /** Of `client`. Default: "test". */
  readonly userAgent?: string;
}

/** An embedded API server and clients with all rights. */
export interface EmbeddedCluster {
  readonly server: LocalCluster;
  readonly connection: Connection;
  readonly client: Client;
  /** A client with connections of its own; requests are told apart by its user agent. Closed with the cluster. */
  connect(userAgent: string, options?: Omit<ClientOptions, "connection" | "userAgent">): Client;
  createNamespace(name: string): Promise<TestNamespace>;
  /** Closes the clients and stops the server. */
  stop(): Promise<void>;
}

export async function startEmbeddedCluster(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
  const { crds = false, userAgent = "test", ...serverOptions } = options;
  const server = await startLocalCluster(serverOptions);
  const connection = connectionFromKubeconfig(server.kubeconfig);
  const clients: Client[] = [];
  const connect: EmbeddedCluster["connect"] = (agent, more = {}) => {
    const client = createClient({ ...more, connection, userAgent: agent });
    clients.push(client);
    return client;
  };
  const client = connect(userAgent);
  if (crds) await installCrds(client);
  return {
    server,
    connection,
    client,
    connect,
    createNamespace: (name) => createNamespace(client, name),
    stop: async () => {
      await Promise.all(clients.map((one) => one.close()));
      await server.stop();
    },
  };
}
