import type { OptionDefinition } from "./command.ts";

/** The options of every command that talks to a cluster. */
export const clusterOptions: readonly OptionDefinition[] = [
  {
    syntax: "-n, --namespace <name>",
    description: "namespace (default: that of the kubeconfig's context, else default)",
  },
  { syntax: "--kubeconfig <file>", description: "kubeconfig of the cluster that holds the Installations" },
];
