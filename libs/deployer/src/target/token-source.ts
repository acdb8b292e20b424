import { kubeResources, LandscaperError } from "@landscaper/api";
import {
  ApiError,
  ConnectionError,
  resourcePath,
  type Client,
  type Clock,
  type Connection,
} from "@landscaper/controller-runtime";
import type { TokenAccount } from "./cluster-access.ts";

export interface TokenSourceOptions {
  /** Of the cluster that the ServiceAccount lives in. */
  readonly client: Pick<Client, "request">;
  readonly account: TokenAccount;
  readonly clock: Clock;
}

/** Part of a token's life after which a new one is asked for. */
const refreshAfter = 0.8;

/** How a connection gets its tokens. */
export interface TokenSource {
  readonly getToken: NonNullable<Connection["getToken"]>;
  readonly dropToken: NonNullable<Connection["dropToken"]>;
}

/** Mints tokens of a ServiceAccount and keeps each for most of its life, unless the server has refused it. */
export function createTokenSource({ client, account, clock }: TokenSourceOptions): TokenSource {
  let current: { readonly token: string; readonly refreshAt: number } | undefined;
  let pending: Promise<string> | undefined;
  async function mint(): Promise<string> {
    const now = clock.now();
    const { token, expiresAt } = await requestToken(client, account);
    const lifeMs = (expiresAt ?? now + account.expirationSeconds * 1000) - now;
    current = { token, refreshAt: now + lifeMs * refreshAfter };
    return token;
  }
  return {
    async getToken() {
      if (current !== undefined && clock.now() < current.refreshAt) return current.token;
      pending ??= mint().finally(() => {
        pending = undefined;
      });
      return await pending;
    },
    dropToken(refused) {
      // Of many requests under way only the first drops the token; the others find the next one.
      if (current?.token === refused) current = undefined;
    },
  };
}

/** A token of a ServiceAccount. Throws LandscaperError (TokenRequestFailed) that names the account. */
export async function requestToken(
  client: Pick<Client, "request">,
  { namespace, name, audiences, expirationSeconds }: TokenAccount,
): Promise<{ token: string; expiresAt: number | undefined }> {
  const path = resourcePath(kubeResources.serviceAccount, { namespace, name, subresource: "token" });
  const body = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds, ...(audiences.length === 0 ? {} : { audiences }) },
  };
  try {
    return parseTokenRequest(await client.request({ method: "POST", path, body }));
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
    const problem = error instanceof ApiError ? (error.statusObject.message ?? error.reason) : error.message;
    throw new LandscaperError({
      message: `no token for ServiceAccount ${namespace}/${name}: ${problem}`,
      reason: "TokenRequestFailed",
    });
  }
}

function parseTokenRequest(answer: unknown): { token: string; expiresAt: number | undefined } {
  // The answer of a TokenRequest, of which nothing is taken on trust.
  const { token, expirationTimestamp } = (answer as { status?: Record<string, unknown> } | null)?.status ?? {};
  if (typeof token !== "string") {
    throw new LandscaperError({ message: "the TokenRequest was answered without token", reason: "TokenRequestFailed" });
  }
  const expiresAt = typeof expirationTimestamp === "string" ? Date.parse(expirationTimestamp) : Number.NaN;
  return { token, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt };
}
