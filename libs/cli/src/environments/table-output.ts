import { textOption, type CommandInput } from "../command.ts";
import { InvocationError } from "../usage-error.ts";

const outputs = ["text", "json"] as const;
export type TableOutput = (typeof outputs)[number];

/** The value of -o. Throws InvocationError. */
export function parseTableOutput(input: CommandInput): TableOutput {
  const text = textOption(input, "output") ?? "text";
  const output = outputs.find((known) => known === text);
  if (output === undefined) throw new InvocationError(`-o: expected ${outputs.join(" or ")}, found "${text}"`);
  return output;
}
