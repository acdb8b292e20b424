import { LandscaperError, type KubeObject, type ResourceType, kubeResources, type Secret } from "@landscaper/api";
import {
  ApiError,
  connectionFromKubeconfig,
  ConnectionError,
  createClient,
  type Client,
  type Clock,
} from "@landscaper/controller-runtime";
import { kubeconfigLifeSeconds } from "./plan-sync.ts";

/** core.gardener.cloud: a cluster that Gardener manages; only its metadata matters here. */
const shootType: ResourceType = {
  group: "core.gardener.cloud",
  version: "v1beta1",
  kind: "Shoot",
  plural: "shoots",
  namespaced: true,
};

/** Requests to a source cluster in flight at most: signing kubeconfigs is work for it. */
const maxConnections = 8;
const requestTimeoutMs = 15_000;

/** One namespace of the cluster that Targets are made from. Every method throws a LandscaperError that says what was asked. */
export interface SourceCluster {
  listSecrets(): Promise<readonly Secret[]>;
  /** Metadata alone. */
  listShoots(): Promise<readonly KubeObject[]>;
  /** A kubeconfig of a shoot for a day, as base64. */
  requestKubeconfig(shoot: string): Promise<string>;
  requestToken(serviceAccount: string, expirationSeconds: number): Promise<string>;
  close(): Promise<void>;
}

export interface SourceOptions {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Connects when first asked. Throws LandscaperError for a kubeconfig that is broken or names files or plugins. */
export function openSourceCluster({ kubeconfig, namespace, clock, signal }: SourceOptions): SourceCluster {
  const connection = connectionFromKubeconfig(kubeconfig);
  const client = createClient({ connection, clock, maxConnections, requestTimeoutMs, userAgent: "landscaper-core" });
  const ask = async <T>(what: string, question: Promise<T>): Promise<T> => {
    try {
      return await question;
    } catch (error) {
      throw sourceError(`source cluster, namespace ${namespace}: ${what}`, error);
    }
  };
  const post = (path: string, body: unknown): Promise<unknown> =>
    client.request({ method: "POST", path, body, signal });
  return {
    listSecrets: async () => (await ask("Secrets", client.list(kubeResources.secret, { namespace, signal }))).items,
    listShoots: async () =>
      (await ask("Shoots", client.list(shootType, { namespace, metadataOnly: true, signal }))).items,
    requestKubeconfig: (shoot) => ask(`kubeconfig of Shoot ${shoot}`, requestKubeconfig(post, namespace, shoot)),
    requestToken: (name, expirationSeconds) =>
      ask(`token of ServiceAccount ${name}`, requestToken(post, { namespace, name }, expirationSeconds)),
    close: () => client.close(),
  };
}

type Post = (path: string, body: unknown) => ReturnType<Client["request"]>;

async function requestKubeconfig(post: Post, namespace: string, shoot: string): Promise<string> {
  const base = `/apis/core.gardener.cloud/v1beta1/namespaces/${encodeURIComponent(namespace)}`;
  const answer = await post(`${base}/shoots/${encodeURIComponent(shoot)}/adminkubeconfig`, {
    apiVersion: "authentication.gardener.cloud/v1alpha1",
    kind: "AdminKubeconfigRequest",
    spec: { expirationSeconds: kubeconfigLifeSeconds },
  });
  return statusText(answer, "kubeconfig");
}

async function requestToken(
  post: Post,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  expirationSeconds: number,
): Promise<string> {
  const base = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  const answer = await post(`${base}/serviceaccounts/${encodeURIComponent(name)}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds },
  });
  return statusText(answer, "token");
}

/** `status.<field>` of an answer of which nothing is taken on trust. */
function statusText(answer: unknown, field: string): string {
  const { status } = Object(answer) as { readonly status?: unknown };
  const value: unknown = Reflect.get(Object(status), field);
  if (typeof value === "string" && value !== "") return value;
  throw new LandscaperError({ message: `the answer has no status.${field}`, reason: "SourceClusterFailed" });
}

function sourceError(what: string, error: unknown): unknown {
  const isOurs = error instanceof ApiError || error instanceof ConnectionError || error instanceof LandscaperError;
  if (!isOurs) return error;
  return new LandscaperError({
    message: `${what}: ${textOf(error)}`,
    reason: "SourceClusterFailed",
    cause: error,
  });
}

/** Without method and path, which `what` says in words. */
function textOf(error: ApiError | ConnectionError | LandscaperError): string {
  if (!(error instanceof ApiError)) return error.message;
  return `${error.status} ${error.statusObject.message ?? error.reason}`;
}
