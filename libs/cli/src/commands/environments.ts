import { clusterOptions } from "../cluster-options.ts";
import type { CommandDefinition, CommandGroup } from "../command.ts";

/** Environments are cluster-wide. */
const options = clusterOptions.filter(({ syntax }) => syntax.startsWith("--kubeconfig"));
const output = { syntax: "-o, --output <format>", description: "text or json (default: text)" };
const name = { syntax: "<name>", description: "the Environment" };

const listCommand: CommandDefinition = {
  name: "list",
  summary: "list Environments with the state of their deployers",
  options: [...options, output],
  load: async () => (await import("../environments/run-list.ts")).runListEnvironments,
};

const treeCommand: CommandDefinition = {
  name: "tree",
  summary: "show Environments with their deployers, versions, and what failed",
  argument: { syntax: "[name]", description: "one Environment; all when absent" },
  options,
  load: async () => (await import("../environments/run-tree.ts")).runEnvironmentTree,
};

const whyCommand: CommandDefinition = {
  name: "why",
  summary: "say what the deployers of an Environment wait for, or why they failed",
  argument: name,
  options,
  load: async () => (await import("../environments/run-why.ts")).runWhyEnvironment,
};

const forgetCommand: CommandDefinition = {
  name: "forget",
  summary: "remove an Environment whose cluster does not come back, without uninstalling its deployers",
  argument: name,
  options: [
    ...options,
    { syntax: "--yes", description: "do it; without it, only say what would stay behind" },
    {
      syntax: "--timeout <duration>",
      description: 'give up waiting after, such as "90s" or "1h30m" (default: 5m)',
    },
  ],
  load: async () => (await import("../environments/run-forget.ts")).runForgetEnvironment,
};

/** `landscaper environments`: the clusters that have deployers of their own. */
export const environmentCommands: CommandGroup = {
  name: "environments",
  summary: "clusters with deployers of their own, and the state of these",
  commands: [listCommand, treeCommand, whyCommand, forgetCommand],
};

/** `landscaper deployers`: what is registered for all Environments. */
export const deployersCommand: CommandDefinition = {
  name: "deployers",
  summary: "list registered deployers, how many Environments have them, and how far a change has gone out",
  options: [...options, output],
  load: async () => (await import("../environments/run-deployers.ts")).runDeployers,
};
