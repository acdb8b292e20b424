import { withCluster } from "../cluster-command.ts";
import type { CommandRun } from "../command.ts";
import { parseReference } from "../object-reference.ts";
import { explain } from "./explain.ts";
import { formatExplanation } from "./format-explanation.ts";
import { observeSubject } from "./observe-subject.ts";

/** `landscaper why`: what an object waits for, or why it failed. */
export const runWhy: CommandRun = async (input, context) => {
  const reference = parseReference(input.argument);
  await withCluster(input, context, async (access) => {
    const observed = await observeSubject(reference, { ...access, signal: context.signal });
    context.write(formatExplanation(explain(observed, context.now())));
  });
};
