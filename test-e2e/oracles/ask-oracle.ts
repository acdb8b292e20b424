import { spawnSync } from "node:child_process";
import type { BuiltOracle } from "./build-oracle.ts";

export interface AskOptions {
  readonly args?: readonly string[];
  /** Answers in place of one that the engine's process has died of. Default: an error. */
  readonly onCrash?: (question: unknown) => unknown;
}

/** Puts questions to one process of an oracle, in order; its answers as parsed JSON, one for each question. */
export function askOracle(oracle: BuiltOracle, questions: readonly unknown[], options: AskOptions = {}): unknown[] {
  const answers: unknown[] = [];
  while (answers.length < questions.length) {
    const rest = questions.slice(answers.length);
    const { lines, failure } = runOnce(oracle, rest, options.args ?? []);
    for (const line of lines) answers.push(JSON.parse(line));
    if (lines.length === rest.length) break;
    const question = rest[lines.length];
    if (options.onCrash === undefined) {
      throw new Error(`${oracle.program}: no answer to ${JSON.stringify(question)}: ${failure}`);
    }
    answers.push(options.onCrash(question));
  }
  return answers;
}

function runOnce(
  { program }: BuiltOracle,
  questions: readonly unknown[],
  args: readonly string[],
): { lines: string[]; failure: string } {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join("");
  // Nothing of this machine's settings reaches the engines. Each works on one core; most of its memory is short-lived.
  const env = { PATH: process.env["PATH"], TZ: "UTC", GOMAXPROCS: "1", GOGC: "400" };
  const { stdout, stderr, error } = spawnSync(program, args, { input, env, encoding: "utf8", maxBuffer: 1 << 30 });
  const lines = stdout.split("\n").slice(0, questions.length + 1);
  // What follows the last line break is nothing, or half an answer.
  lines.pop();
  return { lines, failure: error?.message ?? stderr.slice(0, 2000) };
}
