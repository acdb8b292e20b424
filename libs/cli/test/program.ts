// The whole command line in this process, for tests.
import type { CommandContext } from "../src/command.ts";
import { describeFailure, exitCodeOf } from "../src/describe-failure.ts";
import { createOutput } from "../src/output/create-output.ts";
import { createProgram } from "../src/program.ts";

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface RunOptions extends Partial<
  Pick<CommandContext, "signal" | "environment" | "now" | "schedule" | "terminal" | "readStdin">
> {
  /** Called with all of stdout after each write. */
  readonly onWrite?: (stdout: string) => void;
}

export async function runProgram(words: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { onWrite, terminal, ...context } = options;
  let stdout = "";
  let stderr = "";
  const out = (text: string): void => {
    stdout += text;
    onWrite?.(stdout);
  };
  const output = createOutput({
    out,
    outBytes: async (bytes) => Promise.resolve(out(Buffer.from(bytes).toString("utf8"))),
    err: (text) => void (stderr += text),
    terminal,
    environment: context.environment ?? {},
  });
  const surroundings = {
    ...output,
    readStdin: () => Promise.resolve(""),
    signal: new AbortController().signal,
    environment: {},
    now: () => Date.parse("2026-01-01T00:10:00Z"),
    // Never calls back: the time is fixed.
    schedule: () => () => undefined,
    ...context,
  };
  const program = createProgram(surroundings, words);
  try {
    await program.parseAsync(["node", "landscaper", ...words]);
    return { stdout, stderr, exitCode: 0 };
  } catch (error) {
    output.writeError(describeFailure(error));
    return { stdout, stderr, exitCode: exitCodeOf(error) };
  }
}
