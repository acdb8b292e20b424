import type { CommandDefinition } from "../command.ts";
import { operationOptions } from "../operate/operation-options.ts";
import { referenceSyntax, suggestReference } from "../reference-syntax.ts";

/** `landscaper interrupt`: ends a job that hangs. */
export const interruptCommand: CommandDefinition = {
  name: "interrupt",
  summary: "end the running job: what has not finished fails",
  argument: {
    syntax: referenceSyntax,
    description: "inst/NAME, exec/NAME or di/NAME; a NAME alone is an Installation",
  },
  suggestArgument: suggestReference,
  options: operationOptions,
  load: async () => (await import("../operate/run-interrupt.ts")).runInterrupt,
};
