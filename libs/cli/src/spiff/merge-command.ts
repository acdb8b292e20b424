import type { CommandContext, CommandInput, CommandRun } from "../command.ts";
import { FlagError } from "../flags/parse-flags.ts";
import { PrintedError } from "../usage-error.ts";
import { runMerge } from "./run-merge.ts";
import { parseMergeWords } from "./spiff-flags.ts";

/** `landscaper spiff merge`. */
export const runMergeCommand: CommandRun = async (input, context) => {
  try {
    const words = parseMergeWords(input.words);
    if (words.wantsHelp) context.write(input.help);
    else await runMerge(words, context);
  } catch (error) {
    throw printed(error, input, context);
  }
};

/** Errors as the original prints them: wrong words on both outputs with the help, all others as lines of a log. */
function printed(error: unknown, input: CommandInput, { write, now }: CommandContext): unknown {
  if (error instanceof PrintedError) return new PrintedError(`${logTime(new Date(now()))} ${error.message}`);
  if (!(error instanceof FlagError)) return error;
  write(`${error.message}\n`);
  return new PrintedError(`Error: ${error.message}\n${input.help}\n`);
}

/** The time as Go's log package writes it, of the local zone. */
function logTime(time: Date): string {
  const digits = (value: number): string => value.toString().padStart(2, "0");
  const date = [time.getFullYear(), digits(time.getMonth() + 1), digits(time.getDate())].join("/");
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(digits).join(":")}`;
}
