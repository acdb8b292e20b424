import { writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { startLocalCluster } from "@landscaper/local-cluster";
import type { SimulationOptions } from "@landscaper/local-cluster";
import { textOption } from "../command.ts";
import type { CommandInput, CommandRun } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** `landscaper local-cluster`. */
export const runLocalCluster: CommandRun = async (input, { write, signal }) => {
  const cluster = await startLocalCluster({
    port: parsePort(textOption(input, "port")),
    simulateWorkloads: parseSimulation(input),
    ...(input.options["rbac"] === true ? { authorization: "rbac" } : {}),
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
