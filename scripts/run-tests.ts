// Runs the tests: those of the packages and the scenario suites, in one pool of workers. usage: npm test [-- PATTERN...] (--help lists the flags)
// A file that fails runs once more, alone; if it passes then, it is reported as flaky. The last line is `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { chooseTests } from "./test-run/changed-tests.ts";
import { listChangedFiles } from "./test-run/changed-files.ts";
import { readModules } from "./import-graph.ts";
import {
  addCounts,
  countAll,
  countTests,
  describeSkipped,
  formatCounts,
  listFiles,
  type Counts,
  type FileResult,
} from "./test-run/jest-counts.ts";
import { decideReruns, decideStatus, describeFlaky, type FlakyFile } from "./test-run/reruns.ts";
import { runTestFiles, type TestOutcome } from "./test-run/run-test-files.ts";
import { isSuite, listTestFiles } from "./test-run/test-files.ts";
import { parseTestOptions, testUsage, type TestOptions } from "./test-run/test-options.ts";
import { formatProfile, parseProfile, type ProfiledFile } from "./test-run/test-profile.ts";
import { testEnvironment } from "./test-run/test-environment.ts";

const root = join(import.meta.dirname, "..");
/** Reports of files that failed in their first run, by the path of the file. */
const reports = join(root, "node_modules/.cache/landscaper/failed");
const durationsFile = join(root, "node_modules/.cache/landscaper/durations.json");

function readOptions(words: readonly string[]): TestOptions {
  if (words.includes("--help")) {
    console.log(testUsage);
    process.exit(0);
  }
  try {
    return parseTestOptions(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${testUsage}`);
    process.exit(2);
  }
}

/** Counts the commits up to HEAD: each commit gives another share of the suites its turn on the real API server. */
function countCommits(): string {
  const { stdout } = spawnSync("git", ["rev-list", "--count", "HEAD"], { cwd: root, encoding: "utf8" });
  return /^\d+/.exec(stdout ?? "")?.[0] ?? "0";
}

function readProfile(): readonly ProfiledFile[] {
  return parseProfile(existsSync(profile) ? readFileSync(profile, "utf8") : "");
}

/** How long the tests of --changed may take, one after the other: with the files that run beside each other, well below a minute. */
const changedSeconds = 90;

/** The tests that a change can break; ends the run if there are none. */
function selectChanged(): readonly string[] {
  const durations = readDurations();
  const { chosen, left } = chooseTests({
    modules: readModules(root),
    tests: listTestFiles(),
    changed: listChangedFiles(root),
    secondsOf: (test) => durations[test] ?? 4,
    budgetSeconds: changedSeconds,
  });
  const rest = left.length === 0 ? "" : `; ${left.length} further files could break as well: npm test runs them`;
  console.error(`${chosen.length} test files for what has changed since the upstream branch${rest}`);
  if (chosen.length > 0) return chosen;
  console.log(formatCounts({ passed: 0, failed: 0, skipped: {} }));
  process.exit(0);
}

/** Returns the wanted files; undefined: all of them. */
function selectFiles({ patterns, changed }: TestOptions): readonly string[] | undefined {
  if (changed) return selectChanged();
  if (patterns.length === 0) return undefined;
  const all = listTestFiles();
  const unmatched = patterns.find((pattern) => !all.some((file) => pattern.test(file)));
  if (unmatched === undefined) return all.filter((file) => patterns.some((pattern) => pattern.test(file)));
  console.error(`no test file matches ${unmatched.source}`);
  process.exit(2);
}

/** Seconds of each test file in its last run, by its path. */
function readDurations(): Readonly<Record<string, number>> {
  return existsSync(durationsFile) ? (JSON.parse(readFileSync(durationsFile, "utf8")) as Record<string, number>) : {};
}

function keepDurations(results: readonly FileResult[]): void {
  const measured = Object.fromEntries(results.map((result) => [pathOf(result), result.seconds]));
  mkdirSync(join(durationsFile, ".."), { recursive: true });
  writeFileSync(durationsFile, JSON.stringify({ ...readDurations(), ...measured }));
}

const pathOf = ({ file }: FileResult): string => relative(root, file);

function keepReport(failed: FileResult): string {
  const report = join(reports, `${pathOf(failed)}.txt`);
  mkdirSync(join(report, ".."), { recursive: true });
  writeFileSync(report, failed.report);
  return relative(root, report);
}

/** Runs each failed file once more, alone. Returns those that passed then, with the results of their second runs. */
function rerunFailed(failed: readonly FileResult[], env: Readonly<Record<string, string>>): Map<string, TestOutcome> {
  const passed = new Map<string, TestOutcome>();
  for (const each of failed) {
    console.error(`\n${pathOf(each)} failed (the report is kept in ${keepReport(each)}); it runs once more, alone ...`);
    const outcome = runTestFiles({ files: [pathOf(each)], env, stderr: "inherit" });
    if (outcome.status === 0) passed.set(each.file, outcome);
  }
  return passed;
}

const options = readOptions(process.argv.slice(2));
if (options.allTools) {
  // Loads the test kit, which other runs need not wait for.
  const { installTools } = await import("./test-run/install-tools.ts");
  installTools((line) => console.error(line));
}
const files = selectFiles(options);
const folder = mkdtempSync(join(tmpdir(), "landscaper-profile-"));
const profile = join(folder, "profile.jsonl");
const env = testEnvironment(process.env, { options, commits: countCommits(), profile });
rmSync(reports, { recursive: true, force: true });

const first = runTestFiles({ ...(files === undefined ? {} : { files }), env, stderr: "inherit" });
const firstRun = { files: listFiles(first.results), status: first.status };
keepDurations(firstRun.files);
const passedLater = rerunFailed(decideReruns(firstRun), env);
const status = decideStatus(firstRun, new Set(passedLater.keys()));

/** Counts the tests of the wanted files; of a flaky file, those of its second run. */
function countWanted(isWanted: (path: string) => boolean): Counts {
  const isWantedPath = (path: string): boolean => isWanted(relative(root, path));
  return addCounts([
    countTests(first.results, (path) => isWantedPath(path) && !passedLater.has(path)),
    ...[...passedLater.values()].map(({ results }) => countTests(results, isWantedPath)),
  ]);
}

const unit = countWanted((path) => !isSuite(path));
const e2e = countWanted(isSuite);
const all = countAll([unit, e2e], status);
const flaky: readonly FlakyFile[] = firstRun.files
  .filter(({ file }) => passedLater.has(file))
  .map((each) => ({ file: pathOf(each), firstMessage: each.firstMessage ?? "" }));

console.log(`\nunit: ${formatCounts(unit)}`);
console.log(`e2e:  ${formatCounts(e2e)}`);
if (first.summary !== undefined) console.log(first.summary.trimEnd());
if (first.results === undefined) console.log("the tests did not start; the lines above say why");
if (options.profile) console.log(`${formatProfile(readProfile(), { root, longest: 40 })}\n`);
rmSync(folder, { recursive: true, force: true });
for (const line of [...describeSkipped(all), ...describeFlaky(flaky)]) console.log(line);
console.log(formatCounts(all));
process.exit(all.failed === 0 ? 0 : 1);
