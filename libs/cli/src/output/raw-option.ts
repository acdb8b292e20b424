import { flagOption, type CommandInput, type OptionDefinition } from "../command.ts";

const description = "write content to a terminal unchanged: unsafe characters take effect";

/** `--raw`, for commands that print content. */
export const rawOption: OptionDefinition = { syntax: "--raw", description };

/** The same for commands that read their words by themselves. */
export const rawFlag = { name: "raw", kind: "bool", description } as const;

export function isRaw(input: CommandInput): boolean {
  return flagOption(input, "raw");
}
