import { defaultTokenRealms, type TokenRealm } from "@landscaper/api";
import { normalizeHost } from "../credentials/credential.ts";
import { ociError } from "../oci-error.ts";

/** Token services that a user of the command trusts with the credentials of every registry, in addition to the default pairs. */
export interface TrustedTokenHosts {
  /** Hosts, with the port unless it is 443. */
  readonly hosts: readonly string[];
  /** Returns the remedy for an untrusted host, as an imperative. */
  readonly advice: (host: string) => string;
}

/** Registries whose credentials may go to a token service on another host, by https only. Default: Docker Hub and GitLab. */
export type TokenRealms = readonly TokenRealm[] | TrustedTokenHosts;

/** Throws LandscaperError when the credentials of a registry must not be sent to the realm that it names. */
export function checkRealm(
  realm: URL,
  { origin, tokenRealms = defaultTokenRealms }: { origin: string; tokenRealms?: TokenRealms | undefined },
): void {
  const registry = new URL(origin).host;
  if (realm.host === registry) return;
  const isHttps = realm.protocol === "https:";
  if (isHttps && isListed(realm.host, registry, tokenRealms)) return;
  const refused = `${registry}: its credentials are not sent to the token service ${realm.host}, another host`;
  const message = isHttps ? refused : `${refused}, without https`;
  if (!("hosts" in tokenRealms)) {
    const hint = "ask the operator for an entry of egress.tokenRealms if both belong together";
    throw ociError({ reason: "RegistryUnauthorized", message, hint });
  }
  // Part of the message, because some commands print no hints.
  const advice = isHttps ? `; ${tokenRealms.advice(realm.host)} if both belong together` : "";
  throw ociError({ reason: "RegistryUnauthorized", message: `${message}${advice}` });
}

function isListed(realm: string, registry: string, tokenRealms: TokenRealms): boolean {
  const isTrusted = "hosts" in tokenRealms && tokenRealms.hosts.some((host) => withoutPort(host) === realm);
  const pairs = "hosts" in tokenRealms ? defaultTokenRealms : tokenRealms;
  return (
    isTrusted ||
    pairs.some((pair) => normalizeHost(pair.registry) === normalizeHost(registry) && withoutPort(pair.realm) === realm)
  );
}

/** As URLs have it. */
function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:443$/, "");
}
