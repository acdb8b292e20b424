import { groupName, LandscaperError } from "@landscaper/api";
import {
  createClient,
  demandKinds,
  isNotFound,
  loadConnection,
  type Client,
  type Connection,
} from "@landscaper/controller-runtime";
import type { CommandContext, CommandInput } from "./command.ts";
import { textOption } from "./command.ts";
import { kubeconfigNamespace } from "./kubeconfig-namespace.ts";
import { describeCluster, nameRefusedCluster } from "./name-cluster.ts";
import { UsageError } from "./usage-error.ts";

/** What a command works on. */
export interface ClusterAccess {
  readonly client: Client;
  readonly namespace: string;
}

/** What every command reads. */
const reads = {
  group: groupName,
  resources: ["installations", "executions", "deployitems"],
  verbs: ["get"],
  why: "Reads the objects of an Installation.",
};

/** Runs `work` with a client of the cluster that the options name, and closes it. An error says so when the cluster has no Landscaper. */
export async function withCluster(
  input: CommandInput,
  context: CommandContext,
  work: (access: ClusterAccess) => Promise<void>,
): Promise<void> {
  const { environment } = context;
  const kubeconfigPath = textOption(input, "kubeconfig");
  const connection = await loadConnection({ kubeconfigPath, env: environment });
  const client = createClient({ connection });
  const cluster = { client, connection };
  const place = { file: kubeconfigPath, context: undefined, environment };
  const namespace = textOption(input, "namespace") ?? kubeconfigNamespace(place) ?? "default";
  try {
    await work({ client, namespace });
  } catch (error) {
    // What is not found may be a kind.
    const mayBeKind = isNotFound(error) || error instanceof UsageError;
    const absence = mayBeKind && !context.signal.aborted ? await findAbsence(cluster, context.signal) : undefined;
    throw absence ?? nameRefusedCluster(error, cluster);
  } finally {
    await client.close();
  }
}

/** That the cluster does not serve the kinds of Landscaper; undefined when it does, or does not say. */
async function findAbsence(
  { client, connection }: { readonly client: Client; readonly connection: Connection },
  signal: AbortSignal,
): Promise<LandscaperError | undefined> {
  try {
    const cluster = `the cluster ${describeCluster({ client, connection })}`;
    await demandKinds({ client, cluster, rights: [reads] }, signal);
    return undefined;
  } catch (error) {
    return error instanceof LandscaperError ? error : undefined;
  }
}
