// All tests: the packages' own, then the scenario suites. usage: npm test      The last line is `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Counts } from "./jest-counts.ts";
import { countTests, describeSkipped, formatCounts } from "./jest-counts.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "landscaper-test-"));
const readIfThere = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

/** Runs a script that hands its arguments to jest. */
function runJest(name: string, script: string, ...args: string[]): Counts {
  const outputFile = join(folder, `${name}.json`);
  const command = [script, ...args, "--json", `--outputFile=${outputFile}`];
  // With --json, jest prints the results to stdout as well; its report for people goes to stderr.
  const stdio = ["ignore", "ignore", "inherit"] as const;
  const result = spawnSync(process.execPath, command, { cwd: root, stdio: [...stdio], env });
  return countTests(readIfThere(outputFile), result.status ?? 1);
}

/** Which share of the suites has its turn on the real API server: another one with each commit. */
function turnByCommits(): string {
  const { stdout } = spawnSync("git", ["rev-list", "--count", "HEAD"], { cwd: root, encoding: "utf8" });
  return /^\d+/.exec(stdout ?? "")?.[0] ?? "0";
}

const env = { E2E_TURN: turnByCommits(), ...process.env };
const summary = join(folder, "e2e-clusters.txt");
const unit = runJest("unit", "scripts/jest.ts");
const e2e = runJest("e2e", "scripts/e2e.ts", "--summary", summary);

console.log(`\nunit: ${formatCounts([unit])}`);
console.log(`e2e:  ${formatCounts([e2e])}`);
console.log((readIfThere(summary) ?? "e2e did not start; the lines above say why").trimEnd());
rmSync(folder, { recursive: true, force: true });
for (const line of describeSkipped([unit, e2e])) console.log(line);
console.log(formatCounts([unit, e2e]));
process.exit(unit.failed + e2e.failed === 0 ? 0 : 1);
