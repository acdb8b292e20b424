import type { NatsConnection } from "@nats-io/transport-node";
import { connectionOptions } from "./connection-options.ts";
import { streamName } from "./event-subject.ts";
import { silentServer, toNatsProblem } from "./transitions/nats-problem.ts";

export interface ConnectionUse {
  /** Shown by the server among its connections. */
  readonly clientName: string;
  readonly timeoutMs: number;
  /** What fails without a connection, such as "cannot read the events". */
  readonly step: string;
  /** Names the option or variable with the URL. Default: NATS_URL. */
  readonly setting?: string | undefined;
}

/** Connects to one of the servers of NATS_URL. The connection does not reconnect. Rejects with NatsProblem, or with TypeError if `servers` are not NATS URLs. */
export async function openConnection(
  servers: string,
  { clientName, timeoutMs, step, setting }: ConnectionUse,
): Promise<NatsConnection> {
  const { connect } = await import("@nats-io/transport-node");
  const place = connectionOptions(servers);
  try {
    return await connect({ ...place, name: clientName, timeout: timeoutMs, reconnect: false });
  } catch (error) {
    const isSilent = error instanceof Error && error.name === "TimeoutError";
    if (isSilent) throw silentServer(place.servers, timeoutMs);
    throw toNatsProblem(error, { addresses: place.servers, stream: streamName, step, setting });
  }
}
