// All tests, the packages' own and the scenario suites, in one pool of workers. usage: npm test [-- --profile]      The last line is `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countAll, countTests, describeSkipped, formatCounts } from "./test-run/jest-counts.ts";
import { formatProfile, parseProfile } from "./test-run/test-profile.ts";

const root = join(import.meta.dirname, "..");
const { values: flags } = parseArgs({ options: { profile: { type: "boolean", default: false } } });
const folder = mkdtempSync(join(tmpdir(), "landscaper-test-"));
const readIfThere = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

/** Which share of the suites has its turn on the real API server: another one with each commit. */
function turnByCommits(): string {
  const { stdout } = spawnSync("git", ["rev-list", "--count", "HEAD"], { cwd: root, encoding: "utf8" });
  return /^\d+/.exec(stdout ?? "")?.[0] ?? "0";
}

const profile = join(folder, "profile.jsonl");
const env = { E2E_TURN: turnByCommits(), ...(flags.profile ? { TEST_PROFILE: profile } : {}), ...process.env };
const summary = join(folder, "clusters.txt");
const outputFile = join(folder, "results.json");
// With --json, jest prints the results to stdout as well; its report for people goes to stderr.
const run = spawnSync(
  process.execPath,
  ["scripts/e2e.ts", "--all", "--summary", summary, "--json", `--outputFile=${outputFile}`],
  { cwd: root, stdio: ["ignore", "ignore", "inherit"], env },
);
const results = readIfThere(outputFile);
const isSuite = (path: string): boolean => path.startsWith(join(root, "test-e2e"));
const unit = countTests(results, (path) => !isSuite(path));
const e2e = countTests(results, isSuite);
const all = countAll([unit, e2e], run.status ?? 1);

console.log(`\nunit: ${formatCounts(unit)}`);
console.log(`e2e:  ${formatCounts(e2e)}`);
console.log((readIfThere(summary) ?? "the tests did not start; the lines above say why").trimEnd());
if (flags.profile) console.log(`${formatProfile(parseProfile(readIfThere(profile) ?? ""), { root, longest: 40 })}\n`);
rmSync(folder, { recursive: true, force: true });
for (const line of describeSkipped(all)) console.log(line);
console.log(formatCounts(all));
process.exit(all.failed === 0 ? 0 : 1);
