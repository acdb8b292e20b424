import { clusterOptions, withCluster } from "../cluster-command.ts";
import type { CommandDefinition } from "../command.ts";
import { parseReference, referenceDescription, referenceSyntax } from "../object-reference.ts";
import { explain } from "../why/explain.ts";
import { formatExplanation } from "../why/format-explanation.ts";
import { observeSubject } from "../why/observe-subject.ts";

/** `landscaper why`: what an object waits for, or why it failed. */
export const whyCommand: CommandDefinition = {
  name: "why",
  summary: "say what an Installation, Execution or DeployItem waits for, or why it failed",
  argument: { syntax: referenceSyntax, description: referenceDescription },
  options: clusterOptions,
  run: async (input, context) => {
    const reference = parseReference(input.argument);
    await withCluster(input, context, async (access) => {
      const observed = await observeSubject(reference, { ...access, signal: context.signal });
      context.write(formatExplanation(explain(observed, context.now())));
    });
  },
};
