/** One run of the whole suite beside artificial load. */
export interface FlakyRound {
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

/** Parses the lines of `formatRound`. */
export function parseRounds(text: string): readonly FlakyRound[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as FlakyRound); // written by formatRound
}

/** Returns a round as one line of JSON, with its line break. */
export function formatRound(round: FlakyRound): string {
  return `${JSON.stringify(round)}\n`;
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

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
  const isClean = ({ failures }: FlakyRound): boolean => failures.length === 0;
  const lastFailed = rounds.findLastIndex((round) => !isClean(round));
  const clean = rounds.length - 1 - lastFailed;
  const table = rounds.every(isClean) ? [] : ["", ...failureTable(rounds), ""];
  return [
    ...rounds.map(describeRound),
    ...table,
    `${countOf(rounds.length, "round")}, ${rounds.filter(isClean).length} without a failure; the last ${clean} in a row without a failure`,
  ];
}
