// Runs jest. usage: npm run unit -- [jest arguments]; without --selectProjects, all projects except e2e.
import { join } from "node:path";
import { runChild } from "./run-child.mjs";
import { compileCacheOfTests } from "./test-run/compile-cache-of-tests.ts";

const root = join(import.meta.dirname, "..");
const args = process.argv.slice(2);
const selects = args.some((arg) => arg.startsWith("--selectProjects"));
const { status } = await runChild(
  process.execPath,
  [join(root, "node_modules/jest/bin/jest.js"), ...args, ...(selects ? [] : ["--ignoreProjects", "e2e"])],
  { cwd: root, stdio: "inherit", env: { ...process.env, ...compileCacheOfTests } },
);
process.exit(status);
