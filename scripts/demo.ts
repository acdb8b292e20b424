// Two embedded clusters, the services as processes, and the components of samples/landscape: built, signed and installed: `npm run demo`.
// usage: npm run demo [-- --keep]
import { once } from "node:events";
import { join } from "node:path";
import { readCommandLine } from "./command-line.ts";
import { claimFolder } from "./demo/claim-folder.ts";
import { listenForEnd } from "./demo/listen-for-end.ts";
import { startLandscape, type Landscape } from "./demo/landscape.ts";
import { printResult } from "./demo/print-result.ts";
import { reportEnds } from "./demo/report-ends.ts";
import { installLandscape } from "./demo/install-landscape.ts";
import { runChild } from "./run-child.mjs";

const root = join(import.meta.dirname, "..");
const { keep } = readCommandLine({
  usage: `usage: npm run demo [-- --keep]
  --keep  leaves clusters and services up until Ctrl-C; kubeconfigs and logs are in .demo`,
  options: { keep: { type: "boolean", default: false } },
}).values;
const signal = listenForEnd();

const directory = join(root, ".demo");
try {
  process.once("exit", claimFolder(directory));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
console.log("building the services ...");
const built = await runChild(process.execPath, ["scripts/build.ts"], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
if (built.status !== 0 || built.received !== undefined) process.exit(Math.max(built.status, 1));

let landscape: Landscape | undefined;
let isOk = false;
try {
  landscape = await startLandscape({ root, directory, signal });
  const phase = await installLandscape(landscape);
  isOk = phase === "Succeeded";
  await printResult(landscape, { phase, keep });
  if (keep) {
    void reportEnds(landscape.processes, { signal, print: (line) => console.error(line) });
    if (!signal.aborted) await once(signal, "abort");
  }
} catch (error) {
  if (!signal.aborted) {
    console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
    console.error(`The logs of the services are in ${directory}`);
  }
} finally {
  await landscape?.stop();
}
process.exit(isOk ? 0 : 1);
