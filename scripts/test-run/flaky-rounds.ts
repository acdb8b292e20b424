import { relative } from "node:path";
import { countAll, countTests, isSkippedWithoutReason, listFiles, type FileResult } from "./jest-counts.ts";
import type { TestOutcome } from "./run-test-files.ts";

/** One run of the test files beside artificial load. */
export interface FlakyRound {
  /** Regular expressions of the paths of its test files; none: all test files. */
  readonly patterns: readonly string[];
  /** Counts from 1. */
  readonly round: number;
  /** Abbreviated commit that was tested; ends with "+" if files had changes. */
  readonly commit: string;
  /** Seed of the order of the files. */
  readonly seed: number;
  readonly passed: number;
  readonly seconds: number;
  readonly failures: readonly RoundFailure[];
}

export interface RoundFailure {
  /** Path relative to the root, or "(the run itself)" if jest failed without a failed file. */
  readonly file: string;
  readonly firstMessage: string;
}

/** Parses the lines of `formatRound`. Ignores a truncated line. */
export function parseRounds(text: string): readonly FlakyRound[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as FlakyRound]; // written by formatRound
    } catch {
      return [];
    }
  });
}

/** Returns a round as one line of JSON, with its line break. */
export function formatRound(round: FlakyRound): string {
  return `${JSON.stringify(round)}\n`;
}

/** First message of a file that `npm test` counts as failed; undefined for any other file. */
function messageOf({ failed, firstMessage = "", tests }: FileResult): string | undefined {
  if (failed.length > 0) return firstMessage;
  const skipped = tests.find(isSkippedWithoutReason);
  return skipped === undefined ? undefined : `${skipped.fullName}: skipped without a reason`;
}

/** Returns the failures of a run, by the counting of `npm test`. Pure. */
export function findFailures({ results, status }: TestOutcome, root: string): readonly RoundFailure[] {
  const files = listFiles(results);
  const failures = files.flatMap((result) => {
    const firstMessage = messageOf(result);
    return firstMessage === undefined ? [] : [{ file: relative(root, result.file), firstMessage }];
  });
  const isBroken = failures.length === 0 && countAll([countTests(results, () => true)], status).failed > 0;
  const itself = { file: "(the run itself)", firstMessage: `exit code ${status}, ${files.length} files` };
  return isBroken ? [itself] : failures;
}

const describePatterns = (patterns: readonly string[] | undefined): string =>
  patterns === undefined ? "unknown patterns" : patterns.length === 0 ? "all test files" : patterns.join(" ");

/** Throws an Error if a round ran files of other patterns, or if it is of a version that recorded no patterns. */
export function expectPatterns(rounds: readonly FlakyRound[], patterns: readonly string[], record: string): void {
  const other = rounds.find((each) => describePatterns(each.patterns) !== describePatterns(patterns));
  if (other === undefined) return;
  const found = `round ${other.round} of ${describePatterns(other.patterns)}`;
  throw new Error(`--continue: ${record}: expected rounds of ${describePatterns(patterns)}, found ${found}`);
}

/** Throws an Error if the rounds on record are all that were asked for. */
export function expectMissingRounds(rounds: readonly FlakyRound[], wanted: number, record: string): void {
  const { length } = rounds;
  if (length < wanted) return;
  const found = `${wanted}, and ${record} has ${countOf(length, "round")} already`;
  throw new Error(`ROUNDS: with --continue, expected the number of all rounds, earlier ones included, found ${found}`);
}

/** Returns the first of FOLDER-1, FOLDER-2, ... that does not exist. */
export function nextFolder(folder: string, exists: (path: string) => boolean): string {
  let number = 1;
  while (exists(`${folder}-${number}`)) number += 1;
  return `${folder}-${number}`;
}

const isClean = ({ failures }: FlakyRound): boolean => failures.length === 0;

/** Exit code for the counted rounds, including those of earlier calls: 1 if one of them has a failure. */
export function exitCodeOf(rounds: readonly FlakyRound[]): number {
  return rounds.every(isClean) ? 0 : 1;
}

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const describeRound = ({ round, commit, seed, passed, failures, seconds }: FlakyRound): string =>
  `round ${round}: ${passed} passed, ${countOf(failures.length, "file")} failed in ${(seconds / 60).toFixed(0)} minutes (commit ${commit}, order ${seed})`;

/** Returns a Markdown table of the files that failed in any round: file, number of failures, first message. */
function failureTable(rounds: readonly FlakyRound[]): readonly string[] {
  const failures = rounds.flatMap((round) => round.failures);
  const files = [...new Set(failures.map(({ file }) => file))].toSorted();
  const rows = files.map((file) => {
    const own = failures.filter((failure) => failure.file === file);
    return `| ${file} | ${own.length} | ${(own[0]?.firstMessage ?? "").replaceAll("|", String.raw`\|`)} |`;
  });
  return ["| file | failures | first message |", "|---|---|---|", ...rows];
}

/** Returns the lines of the report: one for each round, the table of failures, and the number of rounds without a failure at the end. Pure. */
export function describeRounds(rounds: readonly FlakyRound[]): readonly string[] {
  const lastFailed = rounds.findLastIndex((round) => !isClean(round));
  const clean = rounds.length - 1 - lastFailed;
  const table = rounds.every(isClean) ? [] : ["", ...failureTable(rounds), ""];
  return [
    ...rounds.map(describeRound),
    ...table,
    `${countOf(rounds.length, "round")}, ${rounds.filter(isClean).length} without a failure; the last ${clean} in a row without a failure`,
  ];
}
