// Runs the whole suite, or the files of patterns, repeatedly under artificial load: all processors and the disk are busy. Each round runs the files in another random order.
// usage: npm run flakes -- [ROUNDS [PATTERN...]] [--continue]
// Prints a line for each round and a table of file, failures and first message. Exits 1 if a test failed in a counted round.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { readCommandLine, refuse } from "./command-line.ts";
import { countCommits } from "./test-run/commit-count.ts";
import { askGit } from "./working-tree.ts";
import {
  countOf,
  describeRounds,
  exitCodeOf,
  expectMissingRounds,
  expectPatterns,
  findFailures,
  formatRound,
  nextFolder,
  parseRounds,
  type FlakyRound,
} from "./test-run/flaky-rounds.ts";
import { addCounts, countTests, listFiles } from "./test-run/jest-counts.ts";
import { startMachineLoad } from "./test-run/machine-load.ts";
import { runTestFiles } from "./test-run/run-test-files.ts";
import { listTestFiles, parsePatterns, selectTestFiles } from "./test-run/test-files.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "node_modules/.cache/landscaper/flakes");
const record = join(folder, "rounds.jsonl");
/** Written to keep the disk busy. */
const loadFile = join(folder, "load.bin");
const usage = `usage: npm run flakes -- [ROUNDS [PATTERN...]] [--continue]
  ROUNDS      number of rounds, with --continue including those of earlier calls; default: 10
  PATTERN     a regular expression of paths of test files; without one, all files
  --continue  counts the rounds of earlier calls with the same patterns, even of other commits`;

interface FlakesOptions {
  readonly rounds: number;
  readonly patterns: readonly string[];
  /** Undefined: all test files. */
  readonly files?: readonly string[];
  readonly continues: boolean;
}

function readOptions(): FlakesOptions {
  const options = { continue: { type: "boolean", default: false } } as const;
  const { values, positionals } = readCommandLine({ usage, options, acceptsPositionals: true });
  const [rounds = "10", ...patterns] = positionals;
  if (!/^[1-9]\d*$/.test(rounds)) refuse(`expected a positive number of rounds, found "${rounds}"`, usage);
  const found = { rounds: Number(rounds), patterns, continues: values.continue };
  if (patterns.length === 0) return found;
  try {
    return { ...found, files: selectTestFiles(listTestFiles(), parsePatterns(patterns)) };
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error), usage);
  }
}

function keepReport(round: number, file: string, report: string): void {
  const path = join(folder, `round-${round}`, `${file}.txt`);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, report);
}

/** Runs the files once, in a random order of its own. Each round gives other long tests their turn. */
async function runRound(round: number): Promise<FlakyRound> {
  const commits = Number(countCommits(root));
  const seed = (commits + round) * 7919;
  const began = performance.now();
  const outcome = await runTestFiles({
    ...(wantedFiles === undefined ? {} : { files: wantedFiles }),
    env: {
      E2E_TURN: `${commits + round}`,
      E2E_BUILD: process.env["E2E_BUILD"] ?? "never",
      TEST_ORDER: `${seed}`,
      // The user named the files: they run whether it is their turn or not.
      ...(wantedFiles === undefined ? {} : { E2E_SELECTED: "1" }),
    },
    stderr: "ignore",
  });
  for (const { file, failed, report } of listFiles(outcome.results)) {
    if (failed.length > 0) keepReport(round, relative(root, file), report);
  }
  return {
    patterns,
    round,
    commit: `${askGit(root, "rev-parse", "--short", "HEAD")?.trim() ?? ""}${askGit(root, "status", "--porcelain") === "" ? "" : "+"}`,
    seed,
    passed: addCounts([countTests(outcome.results, () => true)]).passed,
    seconds: (performance.now() - began) / 1000,
    failures: findFailures(outcome, root),
  };
}

/** Moves the records of earlier calls aside: they took hours. */
function moveRecords(earlier: readonly FlakyRound[]): void {
  if (earlier.length === 0) {
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  rmSync(loadFile, { force: true });
  const target = nextFolder(folder, existsSync);
  renameSync(folder, target);
  console.error(`moved the records of earlier calls to ${relative(root, target)}`);
}

/** Returns the rounds of earlier calls that count; refuses rounds of other patterns. */
function readEarlierRounds(): readonly FlakyRound[] {
  const text = existsSync(record) ? readFileSync(record, "utf8") : "";
  const earlier = parseRounds(text);
  if (!continues) {
    moveRecords(earlier);
    return [];
  }
  try {
    expectPatterns(earlier, patterns, relative(root, record));
    expectMissingRounds(earlier, wanted, relative(root, record));
    // Without a truncated last line, to which the next round would be appended.
    if (text !== "") writeFileSync(record, earlier.map(formatRound).join(""));
    return earlier;
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error), usage);
  }
}

const { rounds: wanted, patterns, files: wantedFiles, continues } = readOptions();
const rounds = [...readEarlierRounds()];
mkdirSync(folder, { recursive: true });
console.error(
  `${countOf(wanted, "round")} of ${wantedFiles === undefined ? "the whole suite, about 30 minutes each" : countOf(wantedFiles.length, "file")}`,
);
const load = startMachineLoad({ processors: availableParallelism(), file: loadFile });
while (rounds.length < wanted) {
  const round = await runRound(rounds.length + 1);
  rounds.push(round);
  appendFileSync(record, formatRound(round));
  console.error(describeRounds([round])[0]);
}
load.stop();
for (const line of describeRounds(rounds)) console.log(line);
process.exitCode = exitCodeOf(rounds);
if (process.exitCode !== 0) console.log(`the reports of the failed files are in ${relative(root, folder)}`);
