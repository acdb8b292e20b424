import type { LookupAddress } from "node:dns";
import type { ResolveHost } from "./own-addresses.ts";

export interface ProxiedLookups {
  /**
   * Addresses of a host; none if its name cannot be resolved here; "late" if the lookup, or `beside`, has not ended within the limit.
   */
  resolve(host: string, beside: Promise<void>): Promise<readonly string[] | "late">;
}

interface ProxiedLookupOptions {
  readonly resolve: ResolveHost;
  readonly now: () => number;
  /** In ms. Default: 5 s. */
  readonly limitMs?: number | undefined;
}

/** Addresses of load balancers change. */
const keptMs = 60_000;
/** The host that was looked up first is forgotten first. */
const maxHosts = 1_000;

/** Lookups of hosts behind a proxy. Each host is looked up once a minute: a request must not wait for a resolver that knows no outside names. */
export function createProxiedLookups({ resolve, now, limitMs = 5_000 }: ProxiedLookupOptions): ProxiedLookups {
  const known = new Map<string, { readonly at: number; readonly addresses: Promise<readonly string[]> }>();
  const lookUp = async (host: string): Promise<readonly string[]> => {
    try {
      return (await resolve(host, { all: true })).map(({ address }: LookupAddress) => address);
    } catch {
      return [];
    }
  };
  const addressesOf = (host: string): Promise<readonly string[]> => {
    const found = known.get(host);
    if (found !== undefined && now() - found.at <= keptMs) return found.addresses;
    const addresses = lookUp(host);
    known.delete(host);
    known.set(host, { at: now(), addresses });
    const [oldest = ""] = known.keys();
    if (known.size > maxHosts) known.delete(oldest);
    return addresses;
  };
  return {
    resolve: async (host, beside) => {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<"late">((settle) => {
        timer = setTimeout(() => settle("late"), limitMs);
        timer.unref();
      });
      try {
        const all = Promise.all([addressesOf(host), beside]).then(([addresses]) => addresses);
        return await Promise.race([all, limit]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
