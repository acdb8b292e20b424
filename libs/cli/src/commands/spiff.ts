import type { CommandDefinition, CommandGroup } from "../command.ts";
import { spiffOptions } from "../spiff/spiff-flags.ts";

/** `landscaper spiff merge`: templates in spiff's language, with the command line of the original. */
const mergeCommand: CommandDefinition = {
  name: "merge",
  aliases: ["m"],
  summary: "merge a template with stubs and print the result",
  argument: { syntax: "[files...]", description: "the template, then its stubs, nearest first; - is stdin" },
  options: spiffOptions,
  readsWords: true,
  load: async () => (await import("../spiff/merge-command.ts")).runMergeCommand,
};

/** `landscaper spiff ...`. */
export const spiffCommands: CommandGroup = {
  name: "spiff",
  summary: "templates in spiff's language",
  commands: [mergeCommand],
};
