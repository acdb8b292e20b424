// Two embedded clusters, the services as processes, and the components of samples/landscape: built, signed and installed: `npm run demo`.
// usage: npm run demo [-- --keep]
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readCommandLine } from "./command-line.ts";
import { claimFolder } from "./demo/claim-folder.ts";
import { startLandscape } from "./demo/landscape.ts";
import { printResult } from "./demo/print-result.ts";
import { installLandscape } from "./demo/install-landscape.ts";

const root = join(import.meta.dirname, "..");
const { keep } = readCommandLine({
  usage: `usage: npm run demo [-- --keep]
  --keep  leaves clusters and services up until Ctrl-C; kubeconfigs and logs are in .demo`,
  options: { keep: { type: "boolean", default: false } },
}).values;
const controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());

const directory = join(root, ".demo");
try {
  process.once("exit", claimFolder(directory));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
const built = spawnSync(process.execPath, ["scripts/build.ts"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
if (built.status !== 0) process.exit(1);

const landscape = await startLandscape({ root, directory, signal: controller.signal });
let isOk = false;
try {
  const phase = await installLandscape(landscape);
  isOk = phase === "Succeeded";
  await printResult(landscape, { phase, keep });
  if (keep && !controller.signal.aborted) {
    await new Promise((resolve) => controller.signal.addEventListener("abort", resolve, { once: true }));
  }
} catch (error) {
  console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
  console.error(`The logs of the services are in ${landscape.directory}`);
} finally {
  await landscape.stop();
}
process.exit(isOk ? 0 : 1);
