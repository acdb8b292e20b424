import type { EgressConfiguration } from "@landscaper/api";
import { createEgressPolicy, type EgressPolicy } from "./egress-policy.ts";

export interface ServiceSurroundings {
  /** URLs of the API servers that the service works with. */
  readonly servers: readonly (string | undefined)[];
  /** Of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The policy of a service: what its configuration says, and which API servers are its own. */
export function createServiceEgress(
  configuration: Partial<EgressConfiguration>,
  { servers, env }: ServiceSurroundings,
): EgressPolicy {
  const hosts = servers.map((server) => (server === undefined ? undefined : URL.parse(server)?.hostname));
  const known = [...hosts, env["KUBERNETES_SERVICE_HOST"]].filter(
    (host): host is string => host !== undefined && host !== "",
  );
  return createEgressPolicy(configuration, { ownHosts: known });
}
