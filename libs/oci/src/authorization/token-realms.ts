import { defaultTokenRealms, type TokenRealm } from "@landscaper/api";
import { normalizeHost } from "../credentials/credential.ts";
import { ociError } from "../oci-error.ts";

/** Registries whose credentials may go to a token service on another host, by https only; "any" is for the user's own machine. */
export type TokenRealms = readonly TokenRealm[] | "any";

/** Throws LandscaperError when the credentials of a registry must not be sent to the realm that it names. */
export function checkRealm(
  realm: URL,
  { origin, tokenRealms }: { origin: string; tokenRealms?: TokenRealms | undefined },
): void {
  const registry = new URL(origin).host;
  if (realm.host === registry || tokenRealms === "any") return;
  const pairs = tokenRealms ?? defaultTokenRealms;
  const isListed = pairs.some(
    (pair) => normalizeHost(pair.registry) === normalizeHost(registry) && withoutPort(pair.realm) === realm.host,
  );
  if (realm.protocol === "https:" && isListed) return;
  throw ociError({
    reason: "RegistryUnauthorized",
    message:
      realm.protocol === "https:"
        ? `${registry}: its credentials are not sent to the token service ${realm.host}, another host`
        : `${registry}: its credentials are not sent to the token service ${realm.host}, another host, without https`,
    hint: "ask the operator for an entry of egress.tokenRealms if both belong together",
  });
}

/** As URLs have it. */
function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:443$/, "");
}
