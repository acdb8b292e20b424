// A real cluster to look at: starts it, says where its kubeconfig is, and takes it down at Ctrl-C. usage: npm run cluster -- [--node]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLine } from "../../scripts/command-line.ts";
import { provideBinaries } from "./binaries.ts";
import { provideNodeTools } from "./node-tools.ts";
import { toolsImage } from "./node-image.ts";
import { startRealCluster } from "./real-cluster.ts";

function orExit<T extends object>(found: T | { readonly missing: string; readonly hint: string }): T {
  if (!("missing" in found)) return found;
  console.error(`${found.missing}; ${found.hint}`);
  process.exit(1);
}

const { values } = readCommandLine({
  usage: `usage: npm run cluster [-- --node]
  --node  with a node that runs pods (needs root and containerd)`,
  options: { node: { type: "boolean", default: false } },
});
const announce = (line: string): void => console.error(line);
const binaries = orExit(provideBinaries(announce));
const node = values.node ? orExit(provideNodeTools(announce)) : undefined;
const started = Date.now();
const cluster = await startRealCluster({ binaries, ...(node === undefined ? {} : { node }) });
const folder = mkdtempSync(join(tmpdir(), "landscaper-kubeconfig-"));
const file = join(folder, "kubeconfig");
writeFileSync(file, cluster.kubeconfig, { mode: 0o600 });
console.log(`ready after ${((Date.now() - started) / 1000).toFixed(1)} s`);
console.log(`export KUBECONFIG=${file}; kubectl: ${binaries.kubectl}`);
if (node !== undefined) console.log(`its only image: ${toolsImage}`);
for (const { name, logFile } of cluster.children) console.log(`${name}: ${logFile}`);
let isStopping = false;
const stop = async (): Promise<void> => {
  // A signal to the process group arrives twice: from the sender and from the parent.
  if (isStopping) return;
  isStopping = true;
  await cluster.stop();
  rmSync(folder, { recursive: true });
  process.exit(0);
};
process.on("SIGINT", () => void stop());
process.on("SIGTERM", () => void stop());
