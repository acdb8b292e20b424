import type { CommandDefinition, CommandGroup } from "../command.ts";

/** `landscaper agent bootstrap`: the Environment, credentials for an agent, and the values of its chart. */
const bootstrapCommand: CommandDefinition = {
  name: "bootstrap",
  summary:
    "create an Environment and the account of its agent on the landscaper cluster, and print the values for its chart",
  options: [
    { syntax: "--environment <name>", description: "name of the Environment (required)" },
    {
      syntax: "-n, --namespace <name>",
      description: "namespace of the account, which is that of deployer management (default: ls-system)",
    },
    {
      syntax: "--lease-namespace <name>",
      description: "namespace of the Leases of all deployers (default: that of the account)",
    },
    {
      syntax: "--namespaces <names>",
      description:
        'namespaces whose DeployItems and Secrets the deployers of the Environment may read, comma-separated; "*": all. An existing Environment loses none (required until the Environment exists)',
    },
    { syntax: "--kubeconfig <file>", description: "kubeconfig of the landscaper cluster" },
    {
      syntax: "--server <url>",
      description: "address of its API server as the agent reaches it (default: that of the kubeconfig)",
    },
    {
      syntax: "--proxy-url <url>",
      description:
        'HTTP proxy through which the agent and its deployers reach this address, such as http://proxy.example:3128; "none" means no proxy (default: that of the existing Environment, or none)',
    },
    { syntax: "--token-life <duration>", description: 'how long the token is valid, such as "720h" (default: 2160h)' },
  ],
  load: async () => (await import("../agent/run-bootstrap.ts")).runBootstrap,
};

/** `landscaper agent ...`. */
export const agentCommands: CommandGroup = {
  name: "agent",
  summary: "agents of clusters that nobody can reach from outside",
  commands: [bootstrapCommand],
};
