import { writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { systemErrorCode } from "@landscaper/components";
import { startLocalCluster } from "@landscaper/local-cluster";
import type { LocalCluster, LocalClusterOptions, SimulationOptions } from "@landscaper/local-cluster";
import { textOption } from "../command.ts";
import type { CommandInput, CommandRun } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** `landscaper local-cluster`. */
export const runLocalCluster: CommandRun = async (input, { write, signal }) => {
  const cluster = await startCluster({
    port: parsePort(textOption(input, "port")),
    simulateWorkloads: parseSimulation(input),
    ...(input.options["rbac"] === true ? { authorization: "rbac" } : {}),
  });
  try {
    const file = textOption(input, "writeKubeconfig");
    if (file === undefined) write(cluster.kubeconfig);
    else {
      await writeKubeconfig(file, cluster.kubeconfig);
      write(`${cluster.url} is up; use: kubectl --kubeconfig ${file} get namespaces\n`);
    }
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  } finally {
    await cluster.stop();
  }
};

/** Throws UsageError if the port is taken or reserved. */
async function startCluster(options: LocalClusterOptions & { readonly port: number }): Promise<LocalCluster> {
  try {
    return await startLocalCluster(options);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    throw new UsageError(
      `--port: cannot listen on 127.0.0.1:${options.port} (${code}). Choose a free port, or leave out --port`,
      { cause: error },
    );
  }
}

async function writeKubeconfig(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o600 });
  } catch (error) {
    const reason = systemErrorCode(error) ?? "unknown error";
    throw new UsageError(
      `--write-kubeconfig: cannot write ${file} (${reason}). ${remedies[reason] ?? "Choose a writable file"}`,
      { cause: error },
    );
  }
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: "Correct the path, or create its folder",
  EISDIR: "Name a file, not a folder",
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
