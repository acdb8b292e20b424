import { createClient, loadConnection, type Client } from "@landscaper/controller-runtime";
import type { CommandContext, CommandInput } from "./command.ts";
import { textOption } from "./command.ts";
import { kubeconfigNamespace } from "./kubeconfig-namespace.ts";

/** What a command works on. */
export interface ClusterAccess {
  readonly client: Client;
  readonly namespace: string;
}

/** Runs `work` with a client of the cluster that the options name, and closes it. */
export async function withCluster(
  input: CommandInput,
  { environment }: CommandContext,
  work: (access: ClusterAccess) => Promise<void>,
): Promise<void> {
  const kubeconfigPath = textOption(input, "kubeconfig");
  const client = createClient({ connection: await loadConnection({ kubeconfigPath, env: environment }) });
  const place = { file: kubeconfigPath, context: undefined, environment };
  const namespace = textOption(input, "namespace") ?? kubeconfigNamespace(place) ?? "default";
  try {
    await work({ client, namespace });
  } finally {
    await client.close();
  }
}
