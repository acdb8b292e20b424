import { kubeResources, resources, type DeployItem, type Pod } from "@landscaper/api";
import { createClient, createSystemClock, loadConnection, reflect, type Client } from "@landscaper/controller-runtime";
import { containerDeployItemType, containerLabels } from "@landscaper/container-deployer-lib";
import { withCluster } from "../cluster-command.ts";
import { flagOption, textOption, type CommandContext, type CommandInput, type CommandRun } from "../command.ts";
import { nameRefusedCluster } from "../name-cluster.ts";
import { parseReference } from "../object-reference.ts";
import { isRaw } from "../output/raw-option.ts";
import { InvocationError, UsageError } from "../usage-error.ts";
import { choosePod } from "./choose-pod.ts";
import { containers, describeStart, hasStarted, type Container } from "./container-start.ts";

/** `landscaper logs`: what the program of a container item prints. */
export const runLogs: CommandRun = async (input, context) => {
  const name = itemName(input.argument);
  const container = containerOption(input);
  const tail = tailOption(input);
  await withCluster(input, context, async ({ client, namespace }) => {
    const item = await client.find(resources.deployItem, { namespace, name }, { signal: context.signal });
    if (item === undefined) {
      throw new UsageError(
        `DeployItem "${name}" does not exist in namespace "${namespace}"; "landscaper tree -n ${namespace}" lists the DeployItems`,
      );
    }
    if (item.spec.type !== containerDeployItemType) {
      throw new UsageError(
        `deploy item ${name} is of type ${item.spec.type}: only items of type ${containerDeployItemType} run programs`,
      );
    }
    await withHost(input, { environment: context.environment, client }, async (host) => {
      const pods = await listPods(host, item, {
        namespace: textOption(input, "hostNamespace"),
        signal: context.signal,
      });
      const pod = choosePod({ item, pods, isPrevious: flagOption(input, "previous") });
      const isFollowed = flagOption(input, "follow");
      await printLog(host, { pod, container, tail, isFollowed, isRaw: isRaw(input), context });
    });
  });
};

/** NAME, or di/NAME. */
function itemName(argument = ""): string {
  if (!argument.includes("/")) return argument;
  const { kind, name } = parseReference(argument);
  if (kind !== "DeployItem")
    throw new InvocationError(`expected a DeployItem, found ${argument}; landscaper tree lists those below it`);
  return name;
}

function containerOption(input: CommandInput): Container {
  const word = textOption(input, "container") ?? "main";
  const container = containers.find((one) => one === word);
  if (container === undefined)
    throw new InvocationError(`--container: expected ${containers.join(", ")}, found "${word}"`);
  return container;
}

function tailOption(input: CommandInput): string | undefined {
  const text = textOption(input, "tail");
  if (text === undefined || /^\d+$/.test(text)) return text;
  throw new InvocationError(`--tail: expected a number of lines, found "${text}"`);
}

async function withHost(
  input: CommandInput,
  { environment, client }: Pick<CommandContext, "environment"> & { readonly client: Client },
  work: (host: Client) => Promise<void>,
): Promise<void> {
  const kubeconfigPath = textOption(input, "hostKubeconfig");
  if (kubeconfigPath === undefined) return await work(client);
  const connection = await loadConnection({ kubeconfigPath, env: environment });
  const host = createClient({ connection });
  try {
    await work(host);
  } catch (error) {
    throw nameRefusedCluster(error, { client: host, connection });
  } finally {
    await host.close();
  }
}

interface PodSearch {
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
}

/** By the uid of the item: its name is used again, and several landscaper clusters may share a host. */
async function listPods(host: Client, { metadata }: DeployItem, search: PodSearch): Promise<readonly Pod[]> {
  const labelSelector = `${containerLabels.uid}=${metadata.uid}`;
  return (await host.list(kubeResources.pod, { ...search, labelSelector })).items;
}

interface LogRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly tail: string | undefined;
  readonly isFollowed: boolean;
  /** Whether a terminal gets the log unchanged, too. */
  readonly isRaw: boolean;
  readonly context: CommandContext;
}

async function printLog(host: Client, request: LogRequest): Promise<void> {
  const { pod, container, tail, isFollowed, context } = request;
  const { signal } = context;
  const { namespace = "", name = "" } = pod.metadata;
  if (!hasStarted(pod, container)) {
    if (!isFollowed) {
      const waits = describeStart(pod, container);
      throw new UsageError(`container ${container} of Pod ${name} has not started: ${waits}; --follow waits for it`);
    }
    await untilStarted(host, pod, { container, signal });
  }
  const query = new URLSearchParams({ container, ...(isFollowed ? { follow: "true" } : {}) });
  if (tail !== undefined) query.set("tailLines", tail);
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/log?${query.toString()}`;
  for await (const text of host.stream({ path, signal })) context.writeContent(text, { isRaw: request.isRaw });
}

interface Start {
  readonly container: Container;
  readonly signal: AbortSignal;
}

async function untilStarted(client: Client, pod: Pod, { container, signal }: Start): Promise<void> {
  const { namespace, name = "", uid } = pod.metadata;
  const seen = new AbortController();
  let failure: unknown;
  const look = (live: Pod | undefined): void => {
    try {
      if (live?.metadata.uid !== uid || live === undefined) {
        throw new UsageError(`Pod ${name} is gone before container ${container} has started`);
      }
      if (!hasStarted(live, container)) return;
    } catch (error) {
      failure = error;
    }
    seen.abort();
  };
  await reflect<Pod>(
    {
      client,
      clock: createSystemClock(),
      random: Math.random,
      type: kubeResources.pod,
      selection: { namespace, fieldSelector: `metadata.name=${name}` },
      onList: ({ items: [live] }) => look(live),
      onEvent: (type, live) => look(type === "DELETED" ? undefined : live),
      // A server that is away for a while does not end a command that waits for hours.
      onFailure: () => undefined,
    },
    AbortSignal.any([seen.signal, signal]),
  );
  signal.throwIfAborted();
  if (failure !== undefined) throw failure;
}
