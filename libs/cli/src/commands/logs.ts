import { clusterOptions } from "../cluster-options.ts";
import type { CommandDefinition } from "../command.ts";
import { rawOption } from "../output/raw-option.ts";
import { suggestReference } from "../reference-syntax.ts";

/** `landscaper logs`: what the program of a container item prints. */
export const logsCommand: CommandDefinition = {
  name: "logs",
  summary: "print what the program of a container item writes",
  argument: { syntax: "<deployitem>", description: "name of the DeployItem, also as di/NAME" },
  suggestArgument: suggestReference,
  options: [
    ...clusterOptions,
    {
      syntax: "-f, --follow",
      description: "go on until the container has ended; one that has not started is waited for",
    },
    {
      syntax: "--previous",
      description: "of the last Pod of an earlier run, where the deployer keeps Pods (debug.keepPod)",
    },
    {
      syntax: "--container <name>",
      description: "main, or init or wait, which prepare and save its files (default: main)",
    },
    { syntax: "--tail <lines>", description: "only so many of the last lines" },
    {
      syntax: "--host-kubeconfig <file>",
      description: "kubeconfig of the cluster that runs the Pods (default: the same cluster)",
    },
    { syntax: "--host-namespace <name>", description: "namespace of the Pods (default: all are searched)" },
    rawOption,
  ],
  load: async () => (await import("../logs/run-logs.ts")).runLogs,
};
