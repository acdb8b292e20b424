import type { LookupAddress } from "node:dns";
import { lookup as lookupHost } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import type { EgressConfiguration } from "@landscaper/api";
import { bareHost } from "./bare-host.ts";
import { EgressError } from "./egress-error.ts";
import { createProxiedLookups } from "./proxied-lookups.ts";
import { parseHostRule, type HostRule } from "./host-rule.ts";
import { createOwnAddresses, type ResolveHost } from "./own-addresses.ts";
import { clusterRule, linkLocal, loopback, type ProfileRule } from "./profile-rules.ts";

export interface EgressOptions {
  /** Hosts of the API servers that the service itself works with; only the hardened profile denies them. */
  readonly ownHosts?: readonly string[] | undefined;
  /** Default: that of the system. */
  readonly resolve?: ResolveHost | undefined;
  readonly now?: (() => number) | undefined;
  /** Limit for the addresses of a host behind the operator's proxy, in ms. Default: 5 s. */
  readonly proxiedLookupMs?: number | undefined;
}

/** How a URL is reached: directly, through a proxy, or it is the proxy. */
export type EgressRole = "direct" | "proxied" | "proxy";

/** Which requests users may cause. */
export interface EgressPolicy {
  /**
   * Throws EgressError for a URL that may not be requested: its scheme, its name, or its literal address. The addresses of a name are
   * judged by the lookup, except when a proxy resolves it.
   */
  checkUrl(url: URL, role?: EgressRole): void;
  /**
   * Judges the addresses of a host behind the operator's proxy, as far as this machine resolves its name. The proxy resolves the name once more, and may find others.
   * Rejects with EgressError, in the hardened profile also if the lookup does not end in time.
   */
  checkAddresses(url: URL): Promise<void>;
  /**
   * In place of the resolver of node:net: resolves a name once, judges every address, and gives the connection these very addresses.
   * Fails with EgressError.
   */
  lookupFor(port: number): LookupFunction;
  readonly allowsInsecureSkipTLSVerify: boolean;
  readonly allowsProxyURL: boolean;
}

type Settings = Partial<Omit<EgressConfiguration, "tokenRealms">>;

/** Throws LandscaperError for entries that cannot be read. */
export function createEgressPolicy(settings: Settings, options: EgressOptions = {}): EgressPolicy {
  const isHardened = settings.profile === "hardened";
  const { resolve = lookupHost, ownHosts = [], now = Date.now } = options;
  const own = createOwnAddresses(isHardened ? ownHosts : [], { resolve, now });
  const proxied = createProxiedLookups({ resolve, now, limitMs: options.proxiedLookupMs });
  const judge = createJudge(settings, { isHardened, ownHosts, isOwn: (address) => own.includes(address) });
  const allowsPlainHTTP = settings.allowPlainHTTP ?? !isHardened;
  return {
    allowsInsecureSkipTLSVerify: settings.allowInsecureSkipTLSVerify ?? !isHardened,
    allowsProxyURL: settings.allowProxyURL ?? !isHardened,
    checkUrl(url, role = "direct") {
      if (url.protocol === "http:" && role !== "proxy" && !allowsPlainHTTP) {
        const text = `host ${url.hostname}: http:// is denied by egress.allowPlainHTTP`;
        const hint = "use https://, or ask the operator for egress.allowPlainHTTP";
        throw new EgressError(text, { host: bareHost(url.hostname), hint });
      }
      const host = bareHost(url.hostname);
      const place = { host, port: portOf(url) };
      if (isIP(host) !== 0) judge({ ...place, addresses: [host] });
      else judge({ ...place, addresses: role === "proxied" ? [] : undefined });
    },
    async checkAddresses(url) {
      const host = bareHost(url.hostname);
      const addresses = await proxied.resolve(host, own.refresh());
      if (addresses === "late" && isHardened) throw unknownAddresses(host, portOf(url));
      if (addresses !== "late" && addresses.length > 0) judge({ host, port: portOf(url), addresses });
    },
    lookupFor: (port) => (hostname, lookupOptions, callback) => {
      const host = bareHost(hostname);
      const answer = async (): Promise<readonly LookupAddress[]> => {
        const [addresses] = await Promise.all([resolve(hostname, { ...lookupOptions, all: true }), own.refresh()]);
        judge({ host, port, addresses: addresses.map(({ address }) => address) });
        return addresses;
      };
      void deliver(answer(), { all: lookupOptions.all === true, callback });
    },
  };
}

async function deliver(
  judged: Promise<readonly LookupAddress[]>,
  { all, callback }: { all: boolean; callback: Parameters<LookupFunction>[2] },
): Promise<void> {
  let addresses: readonly LookupAddress[];
  try {
    addresses = await judged;
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)), []);
    return;
  }
  const [first] = addresses;
  if (all) callback(null, [...addresses]);
  else callback(null, first?.address ?? "", first?.family);
}

/** A host to connect to; `addresses` is undefined before its name has been resolved, empty when a proxy will resolve it. */
interface Destination {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[] | undefined;
}

interface JudgeOptions {
  readonly isHardened: boolean;
  readonly ownHosts: readonly string[];
  readonly isOwn: (address: string) => boolean;
}

/** Deny first; then what the profile denies, unless an entry of allow names the same name or address; then onlyAllowed. */
function createJudge(settings: Settings, { isHardened, ownHosts, isOwn }: JudgeOptions): (to: Destination) => void {
  const deny = parseRules(settings.deny, "egress.deny");
  const allow = parseRules(settings.allow, "egress.allow");
  const profile = isHardened
    ? [linkLocal, loopback, clusterRule(settings.clusterCIDRs ?? [], ownHosts.map(bareHost))]
    : [linkLocal];
  const isAllowedName = (host: string, port: number): boolean => allow.some((rule) => rule.matchesName(host, port));
  const isAllowedAddress = (address: string, port: number): boolean =>
    allow.some((rule) => rule.matchesAddress(address, port));
  const deniedBy = (rules: readonly ProfileRule[], denies: (rule: HostRule) => boolean): string | undefined =>
    rules.find(({ hosts }) => hosts.some(denies))?.name;

  return ({ host, port, addresses }) => {
    const entry = deny.find(
      (rule) => rule.matchesName(host, port) || (addresses ?? []).some((each) => rule.matchesAddress(each, port)),
    );
    if (entry !== undefined) {
      const address = addresses?.find((each) => entry.matchesAddress(each, port));
      throw denial({ host, port, address }, `by the entry "${entry.text}" of egress.deny`);
    }
    const byName = deniedBy(profile, (rule) => rule.matchesName(host, port));
    if (byName !== undefined && !isAllowedName(host, port)) {
      throw denial({ host, port }, `by the rule "${byName}" of egress.profile`, "egress.allow");
    }
    for (const address of addresses ?? []) {
      const name = deniedBy(profile, (rule) => rule.matchesAddress(address, port)) ?? (isOwn(address) ? "cluster" : "");
      if (name === "" || isAllowedAddress(address, port)) continue;
      throw denial({ host, port, address }, `by the rule "${name}" of egress.profile`, "egress.allow");
    }
    if (settings.onlyAllowed !== true || addresses === undefined || isAllowedName(host, port)) return;
    const missing = addresses.find((address) => !isAllowedAddress(address, port));
    if (addresses.length > 0 && missing === undefined) return;
    throw denial({ host, port, address: missing }, "because egress.onlyAllowed is set", "egress.allow");
  };
}

function unknownAddresses(host: string, port: number): EgressError {
  const text = `host ${host}, port ${port}: denied, because its addresses could not be found in time (egress.profile hardened)`;
  return new EgressError(text, { host, hint: "check the name resolution of the service, or name an address" });
}

function denial(
  { host, port, address }: { host: string; port: number; address?: string | undefined },
  why: string,
  setting?: string,
): EgressError {
  const where = address === undefined || address === host ? "" : `: address ${address}`;
  const hint = setting === undefined ? "ask the operator" : `ask the operator for an entry of ${setting}`;
  return new EgressError(`host ${host}, port ${port}${where}: denied ${why}`, { host, hint });
}

function parseRules(entries: readonly string[] | undefined, where: string): readonly HostRule[] {
  return (entries ?? []).map((entry, index) => parseHostRule(entry, `${where}[${index}]`));
}

export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}
