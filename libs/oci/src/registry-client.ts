import { createAuthorizer } from "./authorization/authorizer.ts";
import type { CredentialEntry } from "./credentials/credential.ts";
import { RegistrySession, type Limits } from "./registry-session.ts";
import { createSchemes } from "./schemes.ts";
import type { TokenRealms } from "./authorization/token-realms.ts";
import { createTransport, type TransportOptions } from "./transport.ts";

export interface RegistryClientOptions extends TransportOptions {
  /** Registries that do not speak https are spoken to without; only `http://` in a reference does so else. */
  readonly allowPlainHttp?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Registries whose credentials may go to a token service on another host. Default: Docker Hub and GitLab. */
  readonly tokenRealms?: TokenRealms | undefined;
  /** In ms since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** Connections and tokens of a process, shared by all who use registries. */
export interface RegistryClient {
  /** Registries as whoever holds these credentials sees them. Cheap. */
  session(credentials: readonly CredentialEntry[]): RegistrySession;
  close(): Promise<void>;
}

const defaultLimits: Limits = { manifestBytes: 4 * 1024 * 1024, blobBytes: 256 * 1024 * 1024, tags: 100_000 };

/** A client of OCI registries (Distribution API v2, ocm.md §8). */
export function createRegistryClient(options: RegistryClientOptions): RegistryClient {
  const transport = createTransport(options);
  const shared = {
    authorizer: createAuthorizer(transport, { now: options.now ?? Date.now, tokenRealms: options.tokenRealms }),
    schemes: createSchemes(transport, options.allowPlainHttp === true),
    limits: { ...defaultLimits, ...options.limits },
  };
  return {
    session: (credentials) => new RegistrySession(shared, credentials),
    close: async () => transport.close(),
  };
}
