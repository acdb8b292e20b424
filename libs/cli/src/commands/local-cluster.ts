import type { CommandDefinition } from "../command.ts";

/** `landscaper local-cluster`: the embedded API server for trying things out; its content goes with the process. */
export const localClusterCommand: CommandDefinition = {
  name: "local-cluster",
  summary: "run an embedded Kubernetes API server on this machine until interrupted",
  options: [
    { syntax: "--port <number>", description: "port on 127.0.0.1 (default: any free one)" },
    { syntax: "--write-kubeconfig <file>", description: "write the admin's kubeconfig there instead of printing it" },
    { syntax: "--rbac", description: "check rights by RBAC (default: every authenticated account may do everything)" },
    {
      syntax: "--simulate-workloads",
      description: "let Deployments, StatefulSets, DaemonSets, Jobs and Pods go through their status; nothing runs",
    },
    {
      syntax: "--load-balancer-address <ip>",
      description: "with --simulate-workloads: what Services of type LoadBalancer get (default: nothing)",
    },
  ],
  load: async () => (await import("../local-cluster/run-local-cluster.ts")).runLocalCluster,
};
