import {
  agentAccountName,
  environmentNameRule,
  everyNamespace,
  isEnvironmentName,
  keyOf,
  labels,
  parseDuration,
  resources,
  type KubeObject,
} from "@landscaper/api";
import { createClient, isAlreadyExists, loadConnection, type Client } from "@landscaper/controller-runtime";
import { kubeconfigText, requestToken } from "@landscaper/deployer";
import { textOption, type CommandInput, type CommandRun } from "../command.ts";
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
    tokenSeconds: readTokenLife(textOption(input, "tokenLife") ?? "2160h"),
  };
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

/** Throws InvocationError if the agent would have to create an Environment without namespaces. */
async function demandNamespaces(
  client: Client,
  { environment, namespaces }: BootstrapOptions,
  signal: AbortSignal,
): Promise<void> {
  if (namespaces !== undefined) return;
  if ((await client.find(resources.environment, { name: environment }, { signal })) !== undefined) return;
  throw new InvocationError(
    `--namespaces is missing: Environment ${environment} does not exist. Name the namespaces whose DeployItems and Secrets its deployers may read.`,
  );
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

/** `landscaper agent bootstrap`: may be called again, for a new token or for the rights of a new release. */
export const runBootstrap: CommandRun = async (input, context) => {
  const options = readOptions(input);
  const { environment, namespace, leaseNamespace, namespaces, server, tokenSeconds } = options;
  const { signal } = context;
  const kubeconfigPath = textOption(input, "kubeconfig");
  const connection = await loadConnection({ kubeconfigPath, env: context.environment });
  const client = createClient({ connection });
  try {
    await demandNamespaces(client, options, signal);
    for (const wanted of buildBootstrapObjects(options)) await ensure(client, wanted, signal);
    const name = agentAccountName(environment);
    const account = { namespace, name, audiences: [], expirationSeconds: tokenSeconds };
    const { token, expiresAt } = await requestToken(client, account);
    const { ca, insecureSkipTlsVerify, tlsServerName } = connection;
    const address = { server: server ?? connection.server, ca, insecureSkipTlsVerify, tlsServerName };
    const kubeconfig = kubeconfigText(address, { name, user: { token } });
    const values = { environment, namespace, leaseNamespace, namespaces, kubeconfig, expiresAt };
    context.write(escapeYaml(agentValues(values)));
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
