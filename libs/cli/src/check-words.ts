import { CommanderError, type Command } from "commander";
import type { ProgramContext } from "./command.ts";
import { createOutput } from "./output/create-output.ts";
import { createProgram } from "./program.ts";

const ignore = (): void => undefined;

/**
 * Parses the words after `landscaper` without calling the command. Returns the line with which the program refuses them; undefined if it accepts them. Commands
 * that parse their words by themselves, such as `helm template`, accept all words here.
 */
export function findRefusal(words: readonly string[]): string | undefined {
  let errors = "";
  const context: ProgramContext = {
    ...createOutput({
      out: ignore,
      outBytes: async () => Promise.resolve(),
      err: (text) => void (errors += text),
      environment: {},
    }),
    readStdin: async () => Promise.resolve(""),
    signal: new AbortController().signal,
    environment: {},
    now: () => 0,
    schedule: () => ignore,
  };
  const program = createProgram(context, words);
  disable(program);
  try {
    program.parse(words, { from: "user" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? undefined : errors.trim().split("\n")[0];
  }
}

/** Replaces what each command of the program does by nothing. */
function disable(command: Command): void {
  if (command.commands.length === 0) command.action(ignore);
  for (const each of command.commands) disable(each);
}
