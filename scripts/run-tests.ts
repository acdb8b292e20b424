// Runs the tests: those of the packages and the scenario suites, in one pool of workers. usage: npm test [-- PATTERN...] (--help lists the flags)
// A file that fails runs once more, alone; if the tests that failed pass then, it is reported as flaky. The last line is `N passed, N failed`.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { chooseTests, describeChoice } from "./test-run/changed-tests.ts";
import { readChanges, type Changes } from "./test-run/changed-files.ts";
import { countCommits, describeShallowClone } from "./test-run/commit-count.ts";
import { mergeDurations, readDurations } from "./test-run/durations.mjs";
import { explainParseError, refuse, refuseTakenFlags } from "./command-line.ts";
import { readModules } from "./import-graph.ts";
import { countAll, describeSkipped, formatCounts, type FileResult } from "./test-run/jest-counts.ts";
import { describeFailed, describeFlaky } from "./test-run/reruns.ts";
import { makeRunFolder } from "./test-run/run-folder.ts";
import { runTestFiles } from "./test-run/run-test-files.ts";
import { runWithReruns } from "./test-run/run-with-reruns.ts";
import { isSuite, listTestFiles, selectTestFiles } from "./test-run/test-files.ts";
import { parseTestOptions, testFlags, testUsage, type TestOptions } from "./test-run/test-options.ts";
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
  refuseTakenFlags(testFlags, testUsage);
  try {
    return parseTestOptions(words);
  } catch (error) {
    refuse(explainParseError(error), testUsage);
  }
}

function readProfile(): readonly ProfiledFile[] {
  return parseProfile(existsSync(profile) ? readFileSync(profile, "utf8") : "");
}

/** Budget of --changed: the sum of the durations of its test files. The files run in parallel, so the run takes well below a minute. */
const changedSeconds = 90;

/** Reads the changed files; ends the process if git cannot tell them. */
function readChangesOrRefuse(): Changes {
  try {
    return readChanges(root);
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error), testUsage);
  }
}

/** Returns the tests that a change can break; ends the process if there are none. */
function selectChanged(): readonly string[] {
  const durations = readDurations(durationsFile);
  const changes = readChangesOrRefuse();
  const choice = chooseTests({
    modules: readModules(root),
    tests: listTestFiles(),
    changed: changes.files,
    secondsOf: (test) => durations[test] ?? 4,
    budgetSeconds: changedSeconds,
  });
  for (const line of describeChoice(changes, choice)) console.error(line);
  if (choice.chosen.length > 0) return choice.chosen;
  console.log(formatCounts({ passed: 0, failed: 0, skipped: {} }));
  process.exit(choice.omitted.length > 0 ? 3 : 0);
}

/** Returns the wanted files; undefined: all of them. */
function selectFiles({ patterns, changed }: TestOptions): readonly string[] | undefined {
  if (changed) return selectChanged();
  if (patterns.length === 0) return undefined;
  try {
    return selectTestFiles(listTestFiles(), patterns);
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error), testUsage);
  }
}

/** Keeps the report of the first failure: the second run may pass. */
function keepReport({ report }: FileResult, path: string): void {
  const file = join(reports, `${path}.txt`);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, report);
  console.error(`\n${path} failed (the report is kept in ${relative(root, file)}); it runs once more, alone ...`);
}

const options = readOptions(process.argv.slice(2));
if (options.allTools) {
  // Imported here because it loads the testkit, which other runs do not need.
  const { installTools } = await import("./test-run/install-tools.ts");
  try {
    installTools((line) => console.error(line));
  } catch (error) {
    console.error(`--all-tools: ${error instanceof Error ? error.message : String(error)}`);
    console.log(formatCounts({ passed: 0, failed: 1, skipped: {} }));
    process.exit(1);
  }
}
const files = selectFiles(options);
const folder = makeRunFolder();
const profile = join(folder, "profile.jsonl");
const env = testEnvironment(process.env, { options, commits: countCommits(root), profile });
const shallow =
  process.env["E2E_TURN"] === undefined && env["E2E_SELECTED"] === undefined ? describeShallowClone(root) : undefined;
if (shallow !== undefined) console.error(shallow);
rmSync(reports, { recursive: true, force: true });

const run = await runWithReruns({
  root,
  run: (wanted = files) => runTestFiles({ ...(wanted === undefined ? {} : { files: wanted }), env, stderr: "inherit" }),
  onFailed: keepReport,
});
try {
  const measured = run.files.map(({ file, seconds }) => [relative(root, file), seconds] as const);
  mergeDurations(durationsFile, Object.fromEntries(measured));
} catch (error) {
  console.error(`the durations of this run are not kept: ${error instanceof Error ? error.message : String(error)}`);
}
const unit = run.count((path) => !isSuite(path));
const e2e = run.count(isSuite);
const all = countAll([unit, e2e], run.status);

console.log(`\nunit: ${formatCounts(unit)}`);
console.log(`e2e:  ${formatCounts(e2e)}`);
if (run.first.summary !== undefined) console.log(run.first.summary.trimEnd());
if (run.first.results === undefined) console.log("the tests did not start; the lines above say why");
if (options.profile) console.log(`${formatProfile(readProfile(), { root, longest: 40 })}\n`);
rmSync(folder, { recursive: true, force: true });
const notices = [...describeSkipped(all), ...describeFlaky(run.flaky), ...describeFailed(run.failed)];
for (const line of notices) console.log(line);
console.log(formatCounts(all));
process.exit(all.failed === 0 ? 0 : 1);
