import { clusterOptions } from "../cluster-options.ts";
import type { CommandDefinition } from "../command.ts";

/** `landscaper tree`: where jobs stand, and the first leaf that failed. */
export const treeCommand: CommandDefinition = {
  name: "tree",
  summary: "show Installations with their Executions and DeployItems, phases, and what failed",
  argument: { syntax: "[name]", description: "one Installation; all roots of the namespace when absent" },
  options: [
    ...clusterOptions,
    { syntax: "-w, --watch", description: "show the tree anew whenever it changes, until Ctrl-C" },
    { syntax: "--failed", description: "only what failed, and what is above it" },
    { syntax: "-o, --output <format>", description: "text, json or mermaid (default: text)" },
  ],
  load: async () => (await import("../tree/run-tree.ts")).runTree,
};
