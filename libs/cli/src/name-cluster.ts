import { ApiError, type Client, type Connection } from "@landscaper/controller-runtime";
import { UsageError } from "./usage-error.ts";

/** A cluster that a command has connected to. */
export interface ConnectedCluster {
  readonly client: Pick<Client, "server">;
  readonly connection: Pick<Connection, "kubeconfigPath">;
}

/** Returns the URL of the API server, and the kubeconfig that names it. */
export function describeCluster({ client, connection }: ConnectedCluster): string {
  const { kubeconfigPath } = connection;
  return kubeconfigPath === undefined ? client.server : `${client.server} (kubeconfig ${kubeconfigPath})`;
}

/** The error of refused credentials with the server and the kubeconfig. Other errors are returned unchanged. */
export function nameRefusedCluster(error: unknown, { client, connection }: ConnectedCluster): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  const { kubeconfigPath } = connection;
  const [holder, remedy] =
    kubeconfigPath === undefined
      ? ["the pod's ServiceAccount", "check that the API server trusts its token"]
      : [`the kubeconfig ${kubeconfigPath}`, "renew its token or client certificate, or name another kubeconfig"];
  return new UsageError(
    `the API server ${client.server} refuses the credentials of ${holder}: ${error.message}; ${remedy}`,
  );
}
