import type { CoreOptions } from "../add-core-controllers.ts";

export interface NatsSetting {
  /** NATS URLs, separated by commas; undefined if this process publishes no events. */
  readonly servers: string | undefined;
  /** Set if NATS_URL has no effect. */
  readonly warning: string | undefined;
}

/** Reads NATS_URL. Only a process that has the part "central" publishes events. */
export function readNatsServers(
  { NATS_URL = "" }: Readonly<Record<string, string | undefined>>,
  parts: CoreOptions["parts"] = [],
): NatsSetting {
  if (NATS_URL.trim() === "") return { servers: undefined, warning: undefined };
  if (parts.includes("central")) return { servers: NATS_URL, warning: undefined };
  return {
    servers: undefined,
    warning:
      "NATS_URL has no effect in this LANDSCAPER_MODE: the process with central-landscaper publishes the events. Remove the variable",
  };
}
