// Builds the services and runs the scenario suites on the embedded and on the real API server.
// usage: npm run e2e -- [NAME...] [--full] [--summary FILE] [jest arguments]      environment: see test-e2e/README.md
import { join } from "node:path";
import { refuse, refuseTakenFlags } from "./command-line.ts";
import { runChild } from "./run-child.mjs";
import { compileCacheOfTests } from "./test-run/compile-cache-of-tests.ts";
import { listTestFiles } from "./test-run/test-files.ts";
import { explainUnknownSuites } from "./test-run/unknown-suites.ts";

const root = join(import.meta.dirname, "..");
/** Programs in Go (the control plane, the real engines, the bundler) take a fifth less processor time so, for some 100 MB each. */
const rareCollections = { GOGC: "400" };
const env = { ...rareCollections, ...process.env, ...compileCacheOfTests };
async function run(...args: string[]): Promise<number> {
  const { status, received } = await runChild(process.execPath, args, { cwd: root, stdio: "inherit", env });
  if (received !== undefined) process.exit(Math.max(status, 1));
  return status;
}

const usage = `usage: npm run e2e -- [NAME...] [--full] [--summary FILE] [jest arguments]
  NAME  a suite or a folder of test-e2e/suites, or a pattern of jest; default: all suites`;
refuseTakenFlags(["full", "summary"], usage);
const words = process.argv.slice(2);
const problem = explainUnknownSuites(
  words.filter((word) => word !== "--full"),
  listTestFiles(),
);
if (problem !== undefined) refuse(problem, usage);
/** Jest then runs no test, so no bundles are needed. */
const isListing = words.includes("--listTests");
const built = isListing ? 0 : await run("scripts/build.ts");
process.exit(built === 0 ? await run("test-e2e/src/main.ts", ...words) : built);
