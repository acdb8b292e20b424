import { writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { startLocalCluster } from "@landscaper/local-cluster";
import type { SimulationOptions } from "@landscaper/local-cluster";
import { textOption } from "../command.ts";
import type { CommandDefinition, CommandInput } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** `landscaper local-cluster`: the embedded API server for trying things out; its content goes with the process. */
export const localClusterCommand: CommandDefinition = {
  name: "local-cluster",
  summary: "run an embedded Kubernetes API server on this machine until interrupted",
  options: [
    { syntax: "--port <number>", description: "port on 127.0.0.1 (default: any free one)" },
    { syntax: "--write-kubeconfig <file>", description: "write the admin's kubeconfig there instead of printing it" },
    {
      syntax: "--simulate-workloads",
      description: "let Deployments, StatefulSets, DaemonSets, Jobs and Pods go through their status; nothing runs",
    },
    {
      syntax: "--load-balancer-address <ip>",
      description: "with --simulate-workloads: what Services of type LoadBalancer get (default: nothing)",
    },
  ],
  run: async (input, { write, signal }) => {
    const cluster = await startLocalCluster({
      port: parsePort(textOption(input, "port")),
      simulateWorkloads: parseSimulation(input),
    });
    try {
      const file = textOption(input, "writeKubeconfig");
      if (file === undefined) write(cluster.kubeconfig);
      else {
        await writeFile(file, cluster.kubeconfig, { mode: 0o600 });
        write(`${cluster.url} is up; use: kubectl --kubeconfig ${file} get namespaces\n`);
      }
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    } finally {
      await cluster.stop();
    }
  },
};

function parseSimulation(input: CommandInput): boolean | SimulationOptions {
  const isWanted = input.options["simulateWorkloads"] === true;
  const loadBalancerAddress = textOption(input, "loadBalancerAddress");
  if (loadBalancerAddress === undefined) return isWanted;
  if (!isWanted) throw new UsageError("--load-balancer-address: goes with --simulate-workloads only");
  if (isIP(loadBalancerAddress) !== 0) return { loadBalancerAddress };
  throw new UsageError(`--load-balancer-address: expected an IP address, found "${loadBalancerAddress}"`);
}

function parsePort(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`--port: expected a number from 0 to 65535, found "${text}"`);
}
