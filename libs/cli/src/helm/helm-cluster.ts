import { createClient, loadConnection, type Client } from "@landscaper/controller-runtime";
import { createTargetCluster, type TargetCluster } from "@landscaper/resources";
import type { CommandContext } from "../command.ts";
import type { ParsedFlags } from "../flags/parse-flags.ts";
import { InvocationError } from "../usage-error.ts";

/** What a command works on. */
export interface HelmCluster {
  readonly client: Client;
  readonly cluster: TargetCluster;
}

/** Ways of Helm to name a cluster that we do not follow: better none than another one. */
const refused = [
  "kube-apiserver",
  "kube-as-user",
  "kube-as-group",
  "kube-ca-file",
  "kube-tls-server-name",
  "kube-token",
  "kube-insecure-skip-tls-verify",
] as const;

/** Runs `work` with the cluster of --kubeconfig and --kube-context, and closes it. Throws InvocationError for flags that are not followed. */
export async function withHelmCluster<T>(
  parsed: ParsedFlags,
  { environment }: Pick<CommandContext, "environment">,
  work: (access: HelmCluster) => Promise<T>,
): Promise<T> {
  const given = refused.find((flag) => parsed.list(flag).some((value) => value !== "" && value !== "false"));
  if (given !== undefined) throw new InvocationError(`--${given}: is not followed; write it into a kubeconfig`);
  const kubeconfigPath = parsed.text("kubeconfig");
  const context = parsed.text("kube-context") ?? environment["HELM_KUBECONTEXT"];
  const client = createClient({ connection: await loadConnection({ kubeconfigPath, context, env: environment }) });
  try {
    return await work({ client, cluster: createTargetCluster(client) });
  } finally {
    await client.close();
  }
}
