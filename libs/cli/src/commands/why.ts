import { clusterOptions } from "../cluster-options.ts";
import type { CommandDefinition } from "../command.ts";
import { referenceDescription, referenceSyntax, suggestReference } from "../reference-syntax.ts";

/** `landscaper why`: what an object waits for, or why it failed. */
export const whyCommand: CommandDefinition = {
  name: "why",
  summary: "say what an Installation, Execution or DeployItem waits for, or why it failed",
  argument: { syntax: referenceSyntax, description: referenceDescription },
  suggestArgument: suggestReference,
  options: clusterOptions,
  load: async () => (await import("../why/run-why.ts")).runWhy,
};
