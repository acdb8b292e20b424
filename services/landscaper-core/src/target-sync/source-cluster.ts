import { LandscaperError, type KubeObject, kubeResources, type Secret } from "@landscaper/api";
import {
  ApiError,
  connectionFromKubeconfig,
  ConnectionError,
  createClient,
  type Clock,
  type ForeignServers,
} from "@landscaper/controller-runtime";
import type { EgressPolicy } from "@landscaper/egress";
import {
  requestServiceAccountToken,
  requestShootKubeconfig,
  shootType,
  type Credentials,
} from "../request-credentials.ts";
import { kubeconfigLifeSeconds } from "./plan-sync.ts";

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
  readonly egress: EgressPolicy;
  readonly foreignServers: ForeignServers;
  readonly signal: AbortSignal;
}

/** Connects when first asked. Throws LandscaperError for a kubeconfig that is broken or names files or plugins. */
export function openSourceCluster(options: SourceOptions): SourceCluster {
  const { namespace, clock, egress, foreignServers, signal } = options;
  const connection = connectionFromKubeconfig(options.kubeconfig, { egress });
  const foreign = foreignServers.of(connection);
  const shared = { clock, maxConnections, requestTimeoutMs, userAgent: "landscaper-core" };
  const client = createClient({ ...shared, connection, foreign });
  const ask = async <T>(what: string, question: Promise<T>): Promise<T> => {
    try {
      return await question;
    } catch (error) {
      throw sourceError(`source cluster, namespace ${namespace}: ${what}`, error);
    }
  };
  const issue = async (what: string, credentials: Promise<Credentials>): Promise<string> =>
    (await ask(what, credentials)).value;
  return {
    listSecrets: async () => (await ask("Secrets", client.list(kubeResources.secret, { namespace, signal }))).items,
    listShoots: async () =>
      (await ask("Shoots", client.list(shootType, { namespace, metadataOnly: true, signal }))).items,
    requestKubeconfig: (name) => {
      const request = { namespace, name, expirationSeconds: kubeconfigLifeSeconds };
      return issue(`kubeconfig of Shoot ${name}`, requestShootKubeconfig(client, request, signal));
    },
    requestToken: (name, expirationSeconds) => {
      const request = { namespace, name, expirationSeconds };
      return issue(`token of ServiceAccount ${name}`, requestServiceAccountToken(client, request, signal));
    },
    close: () => client.close(),
  };
}

function sourceError(what: string, error: unknown): unknown {
  const isOurs = error instanceof ApiError || error instanceof ConnectionError || error instanceof LandscaperError;
  if (!isOurs) return error;
  return new LandscaperError({
    message: `${what}: ${textOf(error)}`,
    reason: "SourceClusterFailed",
    ...(error instanceof LandscaperError ? { codes: error.codes, hint: error.hint, retry: error.retry } : {}),
    cause: error,
  });
}

/** Without method and path, which `what` says in words. */
function textOf(error: ApiError | ConnectionError | LandscaperError): string {
  if (!(error instanceof ApiError)) return error.message;
  return `${error.status} ${error.statusObject.message ?? error.reason}`;
}
