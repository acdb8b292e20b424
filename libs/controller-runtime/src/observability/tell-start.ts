import type { Connection } from "../client/connection/connection.ts";
import type { Logger } from "../controller-interface.ts";

export interface ServiceStart {
  /** Undefined: the defaults. */
  readonly configFile: string | undefined;
  /** To the API server of the Landscaper's resources. */
  readonly connection: Pick<Connection, "server">;
  /** To the API server of the cluster that the service runs in, where that is another one. */
  readonly hostConnection: Pick<Connection, "server"> | undefined;
}

/**
 * One line by which an operator sees that the configuration and the kubeconfigs are valid, and which servers the service asks
 * next; a server that does not answer delays every later line.
 */
export function tellStart(
  log: Pick<Logger, "info">,
  { configFile = "defaults", connection, hostConnection }: ServiceStart,
): void {
  const host = hostConnection === undefined ? {} : { hostServer: nameServer(hostConnection) };
  log.info({ configFile, server: nameServer(connection), ...host }, "the configuration is valid; starting");
}

/** Without what can hold a password. */
function nameServer({ server }: Pick<Connection, "server">): string {
  return URL.canParse(server) ? new URL(server).host : "unknown";
}
