// What somebody finds who looks for tokens in what it may read.
import { resources } from "@landscaper/api";
import { ApiError, createClient, type Client } from "@landscaper/controller-runtime";
import type { TestCluster } from "../src/clusters/test-cluster.ts";

/** Name of the ServiceAccount that a token is of; undefined of what is no token. */
function accountOf(text: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString());
    return /:([^:]+)$/.exec(String(Reflect.get(Object(claims), "sub")))?.[1];
  } catch {
    return undefined;
  }
}

/** Tokens in Targets and DeployItems of a namespace, or of all, also sealed ones, by the names of their accounts. */
export async function findTokens(as: Client, namespace?: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const targets = await as.list(resources.target, { namespace });
  const all = [...targets.items, ...(await as.list(resources.deployItem, { namespace })).items];
  const texts = JSON.stringify(all).match(/[\w-]+\.[\w-]+\.(sealed-v1\.[\w-]+\.[\w-]+\.)?[\w-]+/g) ?? [];
  const tokens = new Map<string, readonly string[]>();
  for (const token of new Set(texts)) {
    const account = accountOf(token);
    if (account !== undefined) tokens.set(account, [...(tokens.get(account) ?? []), token]);
  }
  return tokens;
}

/** Whether the API server knows the token, whatever it allows. */
export async function isAccepted(token: string, { url, ca }: Pick<TestCluster, "url" | "ca">): Promise<boolean> {
  const stranger = createClient({ connection: { server: url, ca, token }, userAgent: "intruder" });
  try {
    await stranger.list(resources.target);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  } finally {
    await stranger.close();
  }
}
