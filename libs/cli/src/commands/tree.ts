import { createClient, loadConnection } from "@landscaper/controller-runtime";
import { textOption } from "../command.ts";
import type { CommandDefinition } from "../command.ts";
import { buildTree } from "../tree/build-tree.ts";
import { formatTree } from "../tree/format-tree.ts";
import { loadTree } from "../tree/load-tree.ts";
import { UsageError } from "../usage-error.ts";

/** `landscaper tree`: where jobs stand, and the first leaf that failed. */
export const treeCommand: CommandDefinition = {
  name: "tree",
  summary: "show Installations with their Executions and DeployItems, phases, and what failed",
  argument: { syntax: "[name]", description: "one Installation; all roots of the namespace when absent" },
  options: [
    { syntax: "-n, --namespace <name>", description: "namespace (default: default)" },
    { syntax: "--kubeconfig <file>", description: "kubeconfig of the cluster that holds the Installations" },
  ],
  run: async (input, { write, signal, now, environment }) => {
    const namespace = textOption(input, "namespace") ?? "default";
    const connection = await loadConnection({ kubeconfigPath: textOption(input, "kubeconfig") });
    const client = createClient({ connection });
    try {
      const trees = buildTree(await loadTree(client, { namespace, signal }), input.argument);
      if (trees.length === 0) {
        const what = input.argument === undefined ? "no Installations" : `no Installation "${input.argument}"`;
        throw new UsageError(`there is ${what} in namespace "${namespace}"`);
      }
      write(formatTree(trees, { now: now(), color: environment["NO_COLOR"] === undefined && process.stdout.isTTY }));
    } finally {
      await client.close();
    }
  },
};
