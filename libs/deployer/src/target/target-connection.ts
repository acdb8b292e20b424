import { LandscaperError, formatKey, keyOf, type ObjectKey, type Target } from "@landscaper/api";
import {
  ApiError,
  ConnectionError,
  connectionFromKubeconfig,
  environmentProxyField,
  type Client,
  type Clock,
  type Connection,
  type Reader,
} from "@landscaper/controller-runtime";
import { atPlace, createEgressPolicy, EgressError, type EgressPolicy } from "@landscaper/egress";
import { parseClusterAccess, type ClusterAccess } from "./cluster-access.ts";
import { hostSecretDenied } from "./host-secret.ts";
import type { OidcGuard } from "./oidc-guard.ts";
import {
  placeOfSecret,
  resolveTargetContent,
  resolveTargetText,
  targetError,
  type RawTarget,
} from "./target-content.ts";
import { createTokenSource } from "./token-source.ts";

/** All that is needed to connect. */
export type ReachableAccess = Exclude<ClusterAccess, { readonly type: "hostSecret" }>;

export interface ConnectOptions {
  /** Mints the tokens of oidc and self targets. */
  readonly client: Pick<Client, "request">;
  /** Where the API server of `client` is, for self targets. */
  readonly self: Pick<Connection, "server" | "ca" | "insecureSkipTlsVerify" | "token" | "getToken">;
  readonly clock: Clock;
  /** What Targets may name. Default: the default profile. */
  readonly egress?: EgressPolicy | undefined;
  /** Judges Targets with oidcConfig. */
  readonly oidc?: OidcGuard | undefined;
}

/**
 * How to reach the cluster of a Target, for others than deployers. Throws LandscaperError that names Target, Secret and field, never a
 * value.
 */
export async function connectToTarget(
  target: Target,
  options: ConnectOptions & { readonly client: Pick<Reader, "find">; readonly signal: AbortSignal },
): Promise<Connection> {
  const { client: reader, signal } = options;
  const content = await readTargetContent(target, { reader, signal });
  const access = toReachable(target, parseClusterAccess(target, content));
  await options.oidc?.check(target, access);
  return nameTarget(target, () => connectionOf(access, options));
}

/** The access data of a Target; that its Secret cannot be read is an error of the Target. */
export async function readTargetContent(
  target: Target,
  options: { readonly reader: Pick<Reader, "find">; readonly signal: AbortSignal },
): Promise<unknown> {
  return await blameTarget(target, () => resolveTargetContent(target, options));
}

/** The same as text. */
export async function readRawTarget(
  target: Target,
  options: { readonly reader: Pick<Reader, "find">; readonly signal: AbortSignal },
): Promise<RawTarget> {
  return { target, content: await blameTarget(target, () => resolveTargetText(target, options)) };
}

async function blameTarget<T>(target: Target, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
    throw targetError(target, `its Secret cannot be read: ${error.message}`);
  }
}

export interface MissingTargetOptions {
  /** Field that names the Target. Default: `spec.target.name` of the item. */
  readonly field?: string | undefined;
  /** Whether the item is being deleted. If so, the core continues when the Target exists again. */
  readonly isDeleting?: boolean | undefined;
}

/** Returns the error for a Target that does not exist. */
export function missingTarget(
  target: ObjectKey,
  { field = "spec.target.name", isDeleting = false }: MissingTargetOptions = {},
): LandscaperError {
  return new LandscaperError({
    message: `Target ${formatKey(target)} does not exist`,
    reason: "NoTargetFound",
    hint: isDeleting
      ? "create the Target again: the deletion then continues by itself"
      : `create the Target or correct ${field}`,
  });
}

/** Runs `use`. Adds the Target to the error of a broken or denied kubeconfig, and the Secret to that of a broken one. */
export function nameTarget<T>(target: Target, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof EgressError) throw error.within(`Target ${formatKey(keyOf(target))}`);
    if (!(error instanceof LandscaperError) || error.reason !== "InvalidKubeconfig") throw error;
    const { message, reason, codes, hint, retry } = error;
    const prefix = `Target ${target.metadata.namespace}/${target.metadata.name}: ${placeOfSecret(target)}`;
    throw new LandscaperError({ message: `${prefix}${message}`, reason, codes, hint, retry, cause: error });
  }
}

/** Throws LandscaperError for access data that are on the host of a deployer. */
export function toReachable(target: Target, access: ClusterAccess): ReachableAccess {
  if (access.type === "hostSecret") throw hostSecretDenied(target);
  return access;
}

/** Users see the errors of Targets with selfConfig: where the kubeconfig of the service is does not concern them. */
const ownFields = {
  authority: "certificate-authority-data of the service's own kubeconfig",
  server: "server or tls-server-name of the service's own kubeconfig",
  address: "server of the service's own kubeconfig",
  proxy: "proxy-url of the service's own kubeconfig",
};

/** Throws LandscaperError for a kubeconfig that is broken or names files or plugins, EgressError for what is denied. */
export function connectionOf(access: ReachableAccess, options: ConnectOptions): Connection {
  const { client, clock, self, egress: policy = createEgressPolicy({}) } = options;
  switch (access.type) {
    case "kubeconfig":
      return refuseImpersonation(connectionFromKubeconfig(access.text, access.isOwn ? {} : { egress: policy }));
    case "oidc": {
      const tokens = createTokenSource({ client, account: access.account, clock });
      const egress = { policy, serverField: "oidcConfig.server", proxyField: "" };
      atPlace(egress.serverField, () => policy.checkUrl(new URL(access.server)));
      const fields = {
        authority: "oidcConfig.caData of the Target",
        server: "oidcConfig.server of the Target",
        address: "oidcConfig.server of the Target",
        proxy: environmentProxyField,
      };
      return { server: access.server, ca: access.ca, ...tokens, fields, egress };
    }
    case "self": {
      const tokens = createTokenSource({ client, account: access.account, clock });
      const { server, ca, insecureSkipTlsVerify } = self;
      return { server, ca, insecureSkipTlsVerify, ...tokens, fields: ownFields };
    }
  }
}

/** Whoever may write a Target may not borrow the name of another user of the target cluster. */
function refuseImpersonation(connection: Connection): Connection {
  if (Object.keys(connection.headers ?? {}).length === 0) return connection;
  throw new LandscaperError({
    message: "kubeconfig: impersonation by users[].user.as is not allowed",
    reason: "InvalidKubeconfig",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
