// Runs every check except the tests: types, lint, format, import directions, documented commands, dead code. usage: npm run lint [-- NAME...]
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readCommandLine, refuse } from "./command-line.ts";

const root = join(import.meta.dirname, "..");
const checks: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ["workspace", process.execPath, "scripts/workspace.ts"],
  ["commands", process.execPath, "scripts/documented-commands.ts"],
  ["types", "tsc", "-b"],
  ["lint", "oxlint", "--type-aware"],
  ["format", "oxfmt", "--check", "."],
  ["dead-code", "knip", "--no-progress"],
];

const usage = `usage: npm run lint [-- NAME...]
  NAME  one of ${checks.map(([name]) => name).join(", ")}; default: all`;
const { positionals: names } = readCommandLine({ usage, options: {}, acceptsPositionals: true });
const unknown = names.filter((name) => checks.every(([known]) => known !== name));
if (unknown.length > 0) refuse(`lint: unknown check: ${unknown.join(", ")}`, usage);

const failed: string[] = [];
for (const [name, command, ...args] of checks.filter(([each]) => names.length === 0 || names.includes(each))) {
  if (process.stdout.isTTY) process.stdout.write(`...  ${name}\r`);
  const started = Date.now();
  const result = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  const ok = result.status === 0;
  console.log(`${ok ? "ok  " : "FAIL"} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (ok) continue;
  failed.push(name);
  console.log(`${result.stdout}${result.stderr}${result.error?.message ?? ""}`);
}
if (failed.length > 0) {
  console.log(`lint: ${failed.join(", ")} failed`);
  process.exit(1);
}
