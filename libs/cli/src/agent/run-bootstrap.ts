import {
  agentAccountName,
  buildPendingEnvironment,
  environmentNameRule,
  environmentNamespaces,
  everyNamespace,
  isEnvironmentName,
  keyOf,
  labels,
  parseDuration,
  parseProxyUrl,
  publicProxyOf,
  resources,
  type PendingEnvironment,
  type Environment,
  type KubeObject,
} from "@landscaper/api";
import { createClient, isAlreadyExists, loadConnection, type Client } from "@landscaper/controller-runtime";
import { kubeconfigText, requestToken } from "@landscaper/deployer";
import { textOption, type CommandInput, type CommandRun } from "../command.ts";
import { nameRefusedCluster } from "../name-cluster.ts";
import { escapeYaml } from "../output/escape-yaml.ts";
import { InvocationError, UsageError } from "../usage-error.ts";
import { agentValues } from "./agent-values.ts";
import { buildBootstrapObjects, mergeBootstrapObject, type BootstrapObject } from "./bootstrap-objects.ts";

interface BootstrapOptions {
  readonly environment: string;
  readonly namespace: string;
  readonly leaseNamespace: string;
  readonly namespaces: readonly string[] | undefined;
  readonly server: string | undefined;
  readonly proxyUrl: string | undefined;
  readonly tokenSeconds: number;
}

/** The shortest that API servers take. */
const minTokenSeconds = 600;

/** Throws InvocationError for options that cannot be. */
function readOptions(input: CommandInput): BootstrapOptions {
  const environment = textOption(input, "environment");
  if (environment === undefined) throw new InvocationError("--environment is missing: the name of the Environment");
  if (!isEnvironmentName(environment)) {
    throw new InvocationError(`--environment: expected ${environmentNameRule}, found ${JSON.stringify(environment)}`);
  }
  const server = textOption(input, "server");
  if (server !== undefined && URL.parse(server)?.protocol !== "https:") {
    throw new InvocationError(`--server: expected an https URL, found ${JSON.stringify(server)}`);
  }
  const namespace = textOption(input, "namespace") ?? "ls-system";
  return {
    environment,
    namespace,
    leaseNamespace: textOption(input, "leaseNamespace") ?? namespace,
    namespaces: readNamespaces(textOption(input, "namespaces")),
    server,
    proxyUrl: readProxy(textOption(input, "proxyUrl")),
    tokenSeconds: readTokenLife(textOption(input, "tokenLife") ?? "2160h"),
  };
}

/** The message does not repeat the value, which may contain a password. */
function readProxy(text: string | undefined): string | undefined {
  if (text === undefined || text === noProxy || parseProxyUrl(text) !== undefined) return text;
  throw new InvocationError(
    '--proxy-url: expected the URL of an HTTP proxy, such as http://proxy.example:3128, or "none"',
  );
}

const namespaceName = /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

function readNamespaces(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  if (text === everyNamespace) return [everyNamespace];
  const names = text.split(",");
  if (names.every((name) => namespaceName.test(name)) && new Set(names).size === names.length) return names;
  throw new InvocationError(
    `--namespaces: expected names of namespaces, each once, separated by commas, or "*" for all, found ${JSON.stringify(text)}`,
  );
}

/** Returns the existing Environment. Throws InvocationError if it would have to be created without namespaces, and UsageError if it is being deleted or would lose namespaces. */
async function findEnvironment(
  client: Client,
  { environment: name, namespaces }: BootstrapOptions,
  signal: AbortSignal,
): Promise<Environment | undefined> {
  const environment = await client.find(resources.environment, { name }, { signal });
  if (environment?.metadata.deletionTimestamp !== undefined) {
    throw new UsageError(
      `Environment ${name} is being deleted: wait until it no longer exists, then repeat the command`,
    );
  }
  if (environment !== undefined && namespaces !== undefined) demandNoRemoval(environment, namespaces);
  if (environment !== undefined || namespaces !== undefined) return environment;
  throw new InvocationError(
    `--namespaces is missing: Environment ${name} does not exist. Name the namespaces whose DeployItems and Secrets its deployers may read.`,
  );
}

/** Throws UsageError if the list lacks namespaces of the Environment: a repeated command must not take rights away. */
function demandNoRemoval({ metadata, spec }: Environment, namespaces: readonly string[]): void {
  const wanted = environmentNamespaces({ namespaces });
  if (wanted === undefined) return;
  const current = environmentNamespaces(spec) ?? [everyNamespace];
  const removed = current.filter((name) => !wanted.includes(name));
  if (removed.length === 0) return;
  throw new UsageError(
    `--namespaces: Environment ${metadata.name ?? ""} has further namespaces: ${removed.join(", ")}. Name them, too, or omit the option; to remove them, use kubectl patch`,
  );
}

/** Creates the Environment, or sets its namespaces. Throws ApiError. */
async function ensureEnvironment(
  client: Client,
  { existing, wanted }: { readonly existing: Environment | undefined; readonly wanted: PendingEnvironment },
  signal: AbortSignal,
): Promise<void> {
  if (existing === undefined) {
    await client.create(resources.environment, buildPendingEnvironment(wanted), { signal });
    return;
  }
  const namespaces = [...wanted.namespaces];
  if (existing.spec.namespaces?.join() === namespaces.join()) return;
  // The agent may write other fields at the same time.
  const body = { spec: { namespaces } };
  await client.patch(resources.environment, { name: wanted.name }, { type: "merge", body, signal });
}

function readTokenLife(text: string): number {
  let seconds: number | undefined;
  try {
    seconds = Math.floor(parseDuration(text) / 1000);
  } catch {
    seconds = undefined;
  }
  if (seconds !== undefined && seconds >= minTokenSeconds) return seconds;
  throw new InvocationError(
    `--token-life: expected a duration of at least 10m, such as 720h, found ${JSON.stringify(text)}`,
  );
}

const secretProxyWarning =
  "warning: --proxy-url has a user and a password. The agent uses them, but does not write them into the Environment: set HTTPS_PROXY for its deployers\n";
/** Value of --proxy-url: the kubeconfig has no proxy. */
const noProxy = "none";

/** The proxy for the kubeconfig. A repeated command without the option keeps that of the Environment. */
function chooseProxy(
  { proxyUrl: wanted }: BootstrapOptions,
  { existing, writeError }: { readonly existing: Environment | undefined; readonly writeError: (text: string) => void },
): string | undefined {
  if (wanted === noProxy) return undefined;
  const kept = existing?.spec.landscaperClusterConfig.proxyURL;
  if (wanted === undefined && kept !== undefined) {
    writeError(`note: keeps the proxy of the Environment, ${kept}; --proxy-url ${noProxy} leaves it out\n`);
  }
  if (wanted !== undefined && publicProxyOf(wanted) === undefined) writeError(secretProxyWarning);
  return wanted ?? kept;
}

/** `landscaper agent bootstrap`: may be called again, for a new token or for the rights of a new release. */
export const runBootstrap: CommandRun = async (input, context) => {
  const options = readOptions(input);
  const { environment, namespace, leaseNamespace, namespaces, server, tokenSeconds } = options;
  const { signal } = context;
  const kubeconfigPath = textOption(input, "kubeconfig");
  const connection = await loadConnection({ kubeconfigPath, env: context.environment });
  const client = createClient({ connection });
  try {
    const existing = await findEnvironment(client, options, signal);
    for (const wanted of buildBootstrapObjects(options)) await ensure(client, wanted, signal);
    if (namespaces !== undefined) {
      const wanted = { name: environment, namespaces, server: server ?? connection.server };
      await ensureEnvironment(client, { existing, wanted }, signal);
    }
    const name = agentAccountName(environment);
    const account = { namespace, name, audiences: [], expirationSeconds: tokenSeconds };
    const { token, expiresAt } = await requestToken(client, account);
    const { ca, insecureSkipTlsVerify, tlsServerName } = connection;
    const proxyUrl = chooseProxy(options, { existing, writeError: context.writeError });
    const address = { server: server ?? connection.server, ca, insecureSkipTlsVerify, tlsServerName, proxyUrl };
    const kubeconfig = kubeconfigText(address, { name, user: { token } });
    const values = { environment, namespace, leaseNamespace, kubeconfig, expiresAt };
    context.write(escapeYaml(agentValues(values)));
  } catch (error) {
    throw nameRefusedCluster(error, { client, connection });
  } finally {
    await client.close();
  }
};

async function ensure(client: Client, wanted: BootstrapObject, signal: AbortSignal): Promise<void> {
  const { type, object } = wanted;
  try {
    await client.create(type, object, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await client.get(type, keyOf(object), { signal });
    demandOwn(existing, object);
    const merged = mergeBootstrapObject(existing, wanted);
    if (merged !== undefined) await client.update(type, merged, { signal });
  }
}

function demandOwn(existing: KubeObject, wanted: KubeObject): void {
  const label = labels.deployerEnvironment;
  if (existing.metadata.labels?.[label] === wanted.metadata.labels?.[label]) return;
  throw new UsageError(
    `${wanted.kind} ${wanted.metadata.name ?? ""} exists already and was made for something else: it lacks the label ${label}`,
  );
}
