// Builds the services and runs the scenario suites on the embedded and on the real API server.
// usage: npm run e2e -- [--full] [--summary FILE] [jest arguments]      environment: see test-e2e/README.md
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { refuseTakenFlags } from "./command-line.ts";
import { compileCacheOfTests } from "./test-run/compile-cache-of-tests.ts";

const root = join(import.meta.dirname, "..");
/** Programs in Go (the control plane, the real engines, the bundler) take a fifth less processor time so, for some 100 MB each. */
const rareCollections = { GOGC: "400" };
const env = { ...rareCollections, ...process.env, ...compileCacheOfTests };
const run = (...args: string[]): number =>
  spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env }).status ?? 1;

refuseTakenFlags(["full", "summary"], "usage: npm run e2e -- [--full] [--summary FILE] [jest arguments]");
const words = process.argv.slice(2);
/** Jest then runs no test, so no bundles are needed. */
const isListing = words.includes("--listTests");
const built = isListing ? 0 : run("scripts/build.ts");
process.exit(built === 0 ? run("test-e2e/src/main.ts", ...words) : built);
