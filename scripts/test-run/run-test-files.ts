import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runChild, type ChildEnd } from "../run-child.mjs";
import { compileCacheOfTests } from "./compile-cache-of-tests.ts";
import { makeRunFolder } from "./run-folder.ts";
import { isSuite } from "./test-files.ts";
import { testTimeoutMs } from "./test-timeout.ts";

const root = join(import.meta.dirname, "../..");
const [resultsFile, summaryFile] = ["results.json", "clusters.txt"];

export interface TestRun {
  /** Paths relative to the root; undefined: all test files. */
  readonly files?: readonly string[];
  /** Variables in addition to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Destination of jest's human-readable report. */
  readonly stderr: "inherit" | "ignore";
}

export interface TestOutcome {
  /** Exit code of jest; 1 if the run was killed. */
  readonly status: number;
  /** What jest writes with --json; undefined if it did not start. */
  readonly results: string | undefined;
  /** Lines about clusters and missing programs, from test-e2e/src/main.ts; undefined for files that need none. */
  readonly summary: string | undefined;
}

/** Returns the arguments of Node for a run, which writes into the folder. Pure. */
export function testProgram(files: readonly string[] | undefined, folder: string): readonly string[] {
  // --ci: a test fails whose snapshot is missing, instead of writing it.
  const shared = ["--ci", "--json", `--outputFile=${join(folder, resultsFile)}`];
  const paths = files === undefined ? [] : ["--runTestsByPath", ...files];
  const needsClusters = files === undefined || files.some(isSuite);
  return needsClusters
    ? ["scripts/e2e.ts", "--all", "--summary", join(folder, summaryFile), ...shared, ...paths]
    : ["node_modules/jest/bin/jest.js", `--testTimeout=${testTimeoutMs}`, "--maxWorkers=3", ...shared, ...paths];
}

/**
 * Runs test files in one jest process. Builds services and plans clusters only if one of the files is a suite. Exits this process if it receives a signal
 * during the run: an interrupted run has no outcome.
 */
export async function runTestFiles(run: TestRun): Promise<TestOutcome> {
  const folder = makeRunFolder();
  try {
    const { received, ...outcome } = await runInto(folder, run);
    if (received === undefined) return outcome;
    process.exitCode = Math.max(outcome.status, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit();
}

async function runInto(
  folder: string,
  { files, env, stderr }: TestRun,
): Promise<TestOutcome & Pick<ChildEnd, "received">> {
  // With --json, jest prints the results to stdout as well; its human-readable report goes to stderr.
  const end = await runChild(process.execPath, testProgram(files, folder), {
    cwd: root,
    stdio: ["ignore", "ignore", stderr],
    env: { ...process.env, ...compileCacheOfTests, ...env },
  });
  const [results, summary] = [resultsFile, summaryFile].map((name) => readIfThere(join(folder, name)));
  return { ...end, results, summary };
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
