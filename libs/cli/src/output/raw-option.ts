import { flagOption, type CommandInput, type OptionDefinition } from "../command.ts";

const description = "write content unchanged to a terminal: control characters take effect";

/** `--raw`, for commands that print content. */
export const rawOption: OptionDefinition = { syntax: "--raw", description };

/** `--raw` for commands that parse their words themselves. */
export const rawFlag = { name: "raw", kind: "bool", description } as const;

export function isRaw(input: CommandInput): boolean {
  return flagOption(input, "raw");
}
