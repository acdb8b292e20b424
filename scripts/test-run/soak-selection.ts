import type { FileResult } from "./jest-counts.ts";

/** What a test file says that waits for time, for a process or for a server. */
const waits =
  /\b(waitFor|setTimeout|spawn|fork|execFile|createSystemClock|startLocalCluster|startTestCluster|setUpCore|createServer)\b/;

/** Suites whose subject is time, or the end of a process: on the embedded API server, beside the packages' tests. */
export const soakedSuites: readonly string[] = [
  "deployer-continuous",
  "deployer-jobs",
  "hostile/neighbours",
  "idle-watches",
  "operations",
  "replicas",
  "triggers",
  "waiting",
];

/** Whether a test file of a package waits for something that a slow machine makes late. Pure. */
export function isSensitive(source: string): boolean {
  return waits.test(source);
}

export interface Round {
  readonly failed: readonly string[];
  /** How many files it ran: not all when the time was up. */
  readonly files: number;
  readonly seconds: number;
}

export interface WantedSoak {
  readonly rounds: number;
  /** In each round. */
  readonly files: number;
}

/**
 * A line for people about a file that has been run: "round 2: PASS libs/a/src/a.test.ts (12 s)". `failed` are names as `FileResult` has them.
 * Pure.
 */
export function describeFile({ file, round, failed, seconds }: FileResult & { readonly round: number }): string {
  const word = failed.length === 0 ? "PASS" : "FAIL";
  return [`round ${round}: ${word} ${file} (${seconds.toFixed(0)} s)`, ...failed.map((name) => `  ${name}`)].join("\n");
}

/** Lines for people: how often each test failed, and how many rounds there were. Pure. */
export function describeSoak(rounds: readonly Round[], wanted: WantedSoak): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of rounds.flatMap(({ failed }) => failed)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const lines = [...counts].map(([name, count]) => `failed in ${count} of ${rounds.length} rounds: ${name}`);
  const minutes = rounds.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
  const whole = rounds.filter(({ files }) => files === wanted.files).length;
  const part = rounds.find(({ files }) => files < wanted.files);
  const rest = part === undefined ? "" : ` and ${part.files} of ${wanted.files} files of another one`;
  const missing = whole < wanted.rounds ? `; the time was up before all ${wanted.rounds} were done` : "";
  return [...lines.toSorted(), `${whole} rounds${rest} in ${minutes.toFixed(0)} minutes${missing}`];
}
