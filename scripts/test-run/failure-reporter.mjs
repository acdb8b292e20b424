// jest's reporter that counts the failures of file-failures.mjs: a reporter may still change the results, and jest calls it after its workers have ended.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { failuresVariable } from "./file-failures.mjs";

/** Parses the lines that file-failures.mjs writes, equal ones once. */
export function parseFailures(text) {
  const lines = new Set(text.split("\n").filter((line) => line !== ""));
  return [...lines].map((line) => JSON.parse(line));
}

/**
 * Adds failures to jest's results, which it changes. Each file with a failure has failed. Returns the failures whose files
 * are not among the results.
 */
export function addFailures(results, failures) {
  for (const file of results.testResults) {
    const messages = failures.filter((failure) => failure.file === file.testFilePath).map(({ message }) => message);
    if (messages.length === 0) continue;
    file.failureMessage = [file.failureMessage, ...messages].filter((text) => text).join("\n");
    if (file.numFailingTests > 0 || file.testExecError) continue;
    file.numFailingTests = 1;
    results.numFailedTests += 1;
    results.numFailedTestSuites += 1;
    if (!file.skipped) results.numPassedTestSuites -= 1;
  }
  const known = new Set(results.testResults.map(({ testFilePath }) => testFilePath));
  return failures.filter(({ file }) => !known.has(file));
}

export default class FailureReporter {
  /** No file exists before the first failure, so that an interrupted run leaves none. */
  #path = join(tmpdir(), `landscaper-failures-${randomUUID()}.jsonl`);
  #unknown = [];

  constructor() {
    process.env[failuresVariable] = this.#path;
  }

  onRunComplete(_contexts, results) {
    delete process.env[failuresVariable];
    if (!existsSync(this.#path)) return;
    const failures = parseFailures(readFileSync(this.#path, "utf8"));
    rmSync(this.#path);
    for (const { file, message } of failures) console.error(`FAIL ${relative(process.cwd(), file)}\n  ${message}\n`);
    this.#unknown = addFailures(results, failures);
  }

  /** Makes jest fail if a failure belongs to no file of its results. */
  getLastError() {
    const [first] = this.#unknown;
    return first === undefined ? undefined : new Error(`${first.file}: ${first.message}`);
  }
}
