import { kubeResources, LandscaperError, type ResourceType } from "@landscaper/api";
import { resourcePath, type Client } from "@landscaper/controller-runtime";

/** core.gardener.cloud: a cluster that Gardener manages; only its metadata matters here. */
export const shootType: ResourceType = {
  group: "core.gardener.cloud",
  version: "v1beta1",
  kind: "Shoot",
  plural: "shoots",
  namespaced: true,
};

/** Whose credentials, and for how long. */
export interface CredentialsRequest {
  readonly namespace: string;
  readonly name: string;
  readonly expirationSeconds: number;
}

/** Credentials as an API server has issued them. Never log them. */
export interface Credentials {
  /** A token, or a kubeconfig in base64. */
  readonly value: string;
  /** End of their life as the API server says it, in ms since the epoch. */
  readonly expiresAt: number | undefined;
}

type Post = Pick<Client, "request">;

/** An admin kubeconfig of a shoot, in base64, from the API of Gardener. */
export async function requestShootKubeconfig(
  client: Post,
  { namespace, name, expirationSeconds }: CredentialsRequest,
  signal: AbortSignal,
): Promise<Credentials> {
  const path = resourcePath(shootType, { namespace, name, subresource: "adminkubeconfig" });
  const body = {
    apiVersion: "authentication.gardener.cloud/v1alpha1",
    kind: "AdminKubeconfigRequest",
    spec: { expirationSeconds },
  };
  return readAnswer(await client.request({ method: "POST", path, body, signal }), "kubeconfig");
}

/** A token of a ServiceAccount. */
export async function requestServiceAccountToken(
  client: Post,
  { namespace, name, expirationSeconds }: CredentialsRequest,
  signal: AbortSignal,
): Promise<Credentials> {
  const path = resourcePath(kubeResources.serviceAccount, { namespace, name, subresource: "token" });
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds } };
  return readAnswer(await client.request({ method: "POST", path, body, signal }), "token");
}

/** `status.<field>` of an answer of which nothing is taken on trust. */
function readAnswer(answer: unknown, field: string): Credentials {
  const { status } = Object(answer) as { readonly status?: unknown };
  const value: unknown = Reflect.get(Object(status), field);
  const expiration: unknown = Reflect.get(Object(status), "expirationTimestamp");
  const expiresAt = typeof expiration === "string" ? Date.parse(expiration) : Number.NaN;
  if (typeof value === "string" && value !== "") {
    return { value, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt };
  }
  throw new LandscaperError({ message: `the answer has no status.${field}`, reason: "SourceClusterFailed" });
}
