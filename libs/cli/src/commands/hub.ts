import type { CommandDefinition, CommandGroup } from "../command.ts";

/** `landscaper hub move`: docs/guide/install.md#two-namespaces. */
const moveCommand: CommandDefinition = {
  name: "move",
  summary: "move the Helm release of a core out of the namespace of deployer management",
  options: [
    { syntax: "--release <name>", description: "Helm release of the core (default: landscaper)" },
    { syntax: "--from <namespace>", description: "namespace of the release (default: ls-system)" },
    { syntax: "--to <namespace>", description: "new namespace, created if absent (default: landscaper-system)" },
    { syntax: "--kubeconfig <file>", description: "kubeconfig of the cluster that the core runs in" },
    { syntax: "--yes", description: "do it; without it, only list what changes" },
    {
      syntax: "--timeout <duration>",
      description: 'give up waiting for the end of the core after, such as "90s" (default: 5m)',
    },
  ],
  load: async () => (await import("../hub/run-move.ts")).runMoveHub,
};

/** `landscaper hub`: the installation of the core itself. */
export const hubCommands: CommandGroup = {
  name: "hub",
  summary: "the installation of the core",
  commands: [moveCommand],
};
