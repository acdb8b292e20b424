import { STATUS_CODES } from "node:http";
import { isIP } from "node:net";
import { LandscaperError } from "@landscaper/api";
import {
  bareHost,
  createEgressPolicy,
  EgressError,
  type EgressPolicy,
  type HostRule,
  parseHostRule,
  portOf,
} from "@landscaper/egress";
import { createHttpTransport, type HttpTransport, type HttpTransportOptions, readBody } from "@landscaper/oci";

export interface SchemaFetcherOptions extends Pick<HttpTransportOptions, "limit" | "watch"> {
  readonly userAgent: string;
  /** As entries of `egress.allow`: only schemas of these hosts are fetched. */
  readonly hosts: readonly string[];
  /** What has the hosts, for messages. */
  readonly setting: string;
  /** How a user goes on without the host. */
  readonly advice: (host: string) => string;
  /** Default: link-local networks only where `hosts` names them. */
  readonly egress?: EgressPolicy | undefined;
}

/** As the schema documents of libs/helm want it. */
export type FetchedSchema = { readonly text: string } | { readonly problem: string };

export interface SchemaFetcher {
  /** Throws LandscaperError where the host is there but does not answer as it should: another try may help. */
  fetch(url: string, signal: AbortSignal): Promise<FetchedSchema>;
  close(): Promise<void>;
}

/** As Helm has it for one file of a chart. */
const maxBytes = 5 * 1024 * 1024;
/** As Helm has it. */
const totalTimeoutMs = 15_000;

/** Fetches documents that a values.schema.json refers to, without credentials. Throws LandscaperError for hosts that cannot be read. */
export function createSchemaFetcher({
  userAgent,
  hosts,
  setting,
  advice,
  egress,
  limit,
  watch,
}: SchemaFetcherOptions): SchemaFetcher {
  const rules = hosts.map((host, index) => parseHostRule(host, `${setting}[${index}]`));
  const policy = limitToHosts(rules, egress ?? createEgressPolicy({ allow: [...hosts] }));
  const transport = createHttpTransport({ userAgent, egress: policy, totalTimeoutMs, retries: 1, limit, watch });
  return {
    async fetch(text, signal) {
      const url = new URL(text);
      if (url.username !== "" || url.password !== "") return { problem: "expected a URL without user and password" };
      if (!isNamed(rules, url)) {
        return { problem: `schemas of the host ${url.hostname} are not loaded; ${advice(url.hostname)}` };
      }
      try {
        return await fetchSchema(transport, url, signal);
      } catch (error) {
        if (error instanceof EgressError) return { problem: `${error.message}; ${error.hint ?? ""}` };
        if (error instanceof LandscaperError && error.reason === "ContentTooLarge") return { problem: error.message };
        throw error;
      }
    },
    close: async () => transport.close(),
  };
}

async function fetchSchema(transport: HttpTransport, url: URL, signal: AbortSignal): Promise<FetchedSchema> {
  const answer = await transport.send({ method: "GET", url, signal });
  const place = `${url.origin}${url.pathname}`;
  const body = await readBody(answer, { limit: maxBytes, place, signal });
  if (answer.status === 200) return { text: Buffer.from(body).toString("utf8") };
  const found = `${answer.status} (${STATUS_CODES[answer.status] ?? ""})`;
  if (answer.status >= 500 || answer.status === 429) {
    throw new LandscaperError({
      message: `${place}: the schema's host answers ${found}`,
      reason: "RegistryUnreachable",
    });
  }
  return { problem: `HTTP request to ${url.href} returned status ${found}` };
}

/** A redirect leads to no other host either. */
function limitToHosts(rules: readonly HostRule[], policy: EgressPolicy): EgressPolicy {
  return {
    ...policy,
    checkUrl(url, role) {
      if (!isNamed(rules, url)) {
        throw new EgressError(`host ${url.hostname}: is not among the hosts of schemas`, {
          host: url.hostname,
          hint: "allow that host as well",
        });
      }
      policy.checkUrl(url, role);
    },
  };
}

function isNamed(rules: readonly HostRule[], url: URL): boolean {
  const host = bareHost(url.hostname);
  const port = portOf(url);
  return rules.some((rule) => (isIP(host) === 0 ? rule.matchesName(host, port) : rule.matchesAddress(host, port)));
}
