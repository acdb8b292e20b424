import { LandscaperError } from "@landscaper/api";
import type { Connection } from "../client/connection/connection.ts";
import { loadConnection, type LoadConnectionOptions } from "../client/connection/load-connection.ts";
import type { ServiceFlags } from "../service-flags.ts";
import { readTexts } from "./follow-kubeconfigs.ts";

export interface ServiceConnections {
  /** Of the kubeconfigs of the flags, to notice changes: see `followKubeconfigs`. */
  readonly texts: ReturnType<typeof readTexts>;
  /** Of the landscaper cluster, which holds the resources. */
  readonly connection: Connection;
  /** Of the cluster that the service runs in, if it is another one. */
  readonly hostConnection: Connection | undefined;
}

/** Loads the connections that the flags of a service name. Throws LandscaperError with the cluster that cannot be reached. */
export async function loadConnections(
  { kubeconfig, host }: Pick<ServiceFlags, "kubeconfig" | "host">,
  options: Pick<LoadConnectionOptions, "env" | "clock">,
): Promise<ServiceConnections> {
  const load = async (cluster: string, kubeconfigPath: string | undefined): Promise<Connection> => {
    try {
      return await loadConnection({ ...options, kubeconfigPath });
    } catch (error) {
      if (!(error instanceof LandscaperError)) throw error;
      throw error.with({ message: `no connection to the ${cluster}: ${error.message}`, cause: error });
    }
  };
  return {
    texts: readTexts([kubeconfig, host?.kubeconfig]),
    connection: await load("landscaper cluster", kubeconfig),
    hostConnection: host === undefined ? undefined : await load("cluster that the service runs in", host.kubeconfig),
  };
}
