import { writeFile } from "node:fs/promises";
import { startLocalCluster } from "@landscaper/local-cluster";
import { textOption } from "../command.ts";
import type { CommandDefinition } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** `landscaper local-cluster`: the embedded API server for trying things out; its content goes with the process. */
export const localClusterCommand: CommandDefinition = {
  name: "local-cluster",
  summary: "run an embedded Kubernetes API server on this machine until interrupted",
  options: [
    { syntax: "--port <number>", description: "port on 127.0.0.1 (default: any free one)" },
    { syntax: "--write-kubeconfig <file>", description: "write the admin's kubeconfig there instead of printing it" },
  ],
  run: async (input, { write, signal }) => {
    const cluster = await startLocalCluster({ port: parsePort(textOption(input, "port")) });
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

function parsePort(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`--port: expected a number from 0 to 65535, found "${text}"`);
}
