import { LandscaperError, toTimestamp, type Target } from "@landscaper/api";
import {
  ApiError,
  ConnectionError,
  createClient,
  type Client,
  type Connection,
  type ForeignServers,
} from "@landscaper/controller-runtime";
import { connectToTarget, type ConnectOptions } from "@landscaper/deployer";
import { classifyFailure } from "../api-failure.ts";
import {
  requestServiceAccountToken,
  requestShootKubeconfig,
  type Credentials,
  type CredentialsRequest,
} from "../request-credentials.ts";
import type { ClusterCall } from "./cluster-call.ts";
import { oidcUser, writeKubeconfig } from "./kubeconfig-document.ts";
import { readTargetArgument } from "./target-argument.ts";

export interface AskOptions extends ConnectOptions {
  readonly client: Client;
  readonly foreignServers: ForeignServers;
  /** Of the Installation. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

const requestTimeoutMs = 15_000;

/** The answer to a call: a kubeconfig in base64, or that with the end of its life. Throws LandscaperError naming function and Target. */
export async function askCluster({ name, args }: ClusterCall, options: AskOptions): Promise<unknown> {
  const target = readTargetArgument(name, args.at(-1), options.namespace);
  try {
    return await answer({ name, args }, target, options);
  } catch (error) {
    throw nameCall(error, `template function ${name}, Target ${target.metadata.name}`);
  }
}

async function answer({ name, args }: ClusterCall, target: Target, options: AskOptions): Promise<unknown> {
  const connection = await connectToTarget(target, options);
  if (name === "getOidcKubeconfig") return writeKubeconfig(connection, oidcUser(String(args[0]), String(args[1])));
  const isOfShoot = name.startsWith("getShootAdmin");
  const [account = "", namespace = "", seconds] = args;
  const request = { name: String(account), namespace: String(namespace), expirationSeconds: Number(seconds) };
  const issue = isOfShoot ? requestShootKubeconfig : requestServiceAccountToken;
  const { value, expiresAt } = await issueThrough(connection, { issue, request }, options);
  const kubeconfig = isOfShoot ? value : writeKubeconfig(connection, { name: String(account), user: { token: value } });
  if (!name.endsWith("WithExpirationTimestamp")) return kubeconfig;
  const end = new Date(expiresAt ?? options.clock.now() + request.expirationSeconds * 1000);
  return {
    kubeconfig,
    expirationTimestamp: Math.floor(end.getTime() / 1000),
    expirationTimestampReadable: toTimestamp(end),
  };
}

interface Issue {
  readonly issue: typeof requestShootKubeconfig;
  readonly request: CredentialsRequest;
}

async function issueThrough(
  connection: Connection,
  { issue, request }: Issue,
  { clock, foreignServers, signal }: AskOptions,
): Promise<Credentials> {
  const foreign = foreignServers.of(connection);
  const client = createClient({ connection, clock, requestTimeoutMs, foreign, userAgent: "landscaper-core" });
  try {
    return await issue(client, request, signal);
  } finally {
    await client.close();
  }
}

/** What the cluster refuses, a change has to make good; that it does not answer may be over soon. */
function nameCall(error: unknown, what: string): unknown {
  if (!(error instanceof ApiError || error instanceof ConnectionError || error instanceof LandscaperError))
    return error;
  if (error instanceof LandscaperError && error.message.startsWith("template function")) return error;
  const text =
    error instanceof ApiError ? `${error.status} ${error.statusObject.message ?? error.reason}` : error.message;
  return new LandscaperError({
    message: `${what}: ${text}`,
    reason: "TemplatingFailed",
    codes: error instanceof LandscaperError ? error.codes : [],
    retry: classifyFailure(error) === "fatal" ? "never" : "backoff",
    cause: error,
  });
}
