import { connectionSecrets } from "@landscaper/egress";
import { dockerHub } from "../reference.ts";

/** What proves who we are to one registry. All of it is secret but `certificateAuthority`. */
export interface Credential {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** OAuth2 refresh token. */
  readonly identityToken?: string | undefined;
  /** Sent as it is as a Bearer token. */
  readonly registryToken?: string | undefined;
  /** PEM; trusted for this registry only. */
  readonly certificateAuthority?: string | undefined;
}

/** User and password as the Basic scheme sends them. */
export function basicPair(credential: Credential | undefined): string | undefined {
  if (credential?.username === undefined) return undefined;
  return Buffer.from(`${credential.username}:${credential.password ?? ""}`).toString("base64");
}

/** What may stand in no message about the registry. */
export function credentialSecrets(credential: Credential | undefined): readonly string[] {
  const { password, identityToken, registryToken } = credential ?? {};
  return connectionSecrets({ values: [password, identityToken, registryToken, basicPair(credential)] });
}

/** A credential and the registry that it is for. */
export interface CredentialEntry {
  /** Host and port, lower case, without default port. */
  readonly host: string;
  /** Repositories that it is for: a path without slashes at its ends, "" for all. */
  readonly path: string;
  readonly credential: Credential;
  /** Where it was read, for messages: `Secret pull: .dockerconfigjson`. */
  readonly from?: string | undefined;
}

/** Credentials that were read, and what was passed over. */
export interface Credentials {
  readonly entries: readonly CredentialEntry[];
  /** One sentence each, without secrets. */
  readonly warnings: readonly string[];
}

/**
 * The credential for a repository: the host must be equal, the longest path that the repository lies below wins, then the first
 * (ocm.md §9). A credential is never sent to another host.
 */
export function findCredential(
  entries: readonly CredentialEntry[],
  place: { readonly host: string; readonly repository: string },
): CredentialEntry | undefined {
  const host = normalizeHost(place.host);
  const matching = entries.filter((entry) => entry.host === host && liesBelow(place.repository, entry.path));
  return matching.toSorted((a, b) => b.path.length - a.path.length)[0];
}

function liesBelow(repository: string, path: string): boolean {
  return path === "" || repository === path || repository.startsWith(`${path}/`);
}

const dockerHubNames = new Set(["index.docker.io", "registry-1.docker.io", "docker.io"]);

/** Lower case, without default ports; the names of Docker Hub are one. */
export function normalizeHost(host: string): string {
  const name = host.toLowerCase().replace(/:(?:443|80)$/, "");
  return dockerHubNames.has(name) ? dockerHub : name;
}

/**
 * Reads the key of a docker config file: a host, or a URL, with a path, of which `/v1/` and `/v2/` at the end say nothing.
 * Undefined when it is neither.
 */
export function parseServerKey(key: string): Pick<CredentialEntry, "host" | "path"> | undefined {
  const match = /^(?:[a-z]+:\/\/)?(\[[0-9a-f:]+\](?::\d+)?|[^/?#@:\s]+(?::\d+)?)((?:\/[^?#\s]*)?)$/i.exec(key.trim());
  if (match === null) return undefined;
  const [, host = "", path = ""] = match;
  return { host: normalizeHost(host), path: trimSlashes(trimSlashes(path).replace(/(?:^|\/)v[12]$/, "")) };
}

export function trimSlashes(text: string): string {
  return text.replace(/^\/+/, "").replace(/\/+$/, "");
}
