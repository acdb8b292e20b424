import { findNewWarnings, type Condition, type KubeObject } from "@landscaper/api";
import { withCluster } from "../cluster-command.ts";
import { textOption, type CommandRun } from "../command.ts";
import { collectPlans } from "./collect-plans.ts";
import { defaultTimeout } from "./default-timeout.ts";
import { findDiffItems, parseDiffReference } from "./find-items.ts";
import { findUnknowns } from "./find-unknowns.ts";
import { findObstacle } from "./judge-plan.ts";
import { describeProblems, formatDiff, formatDiffJson, hasChanges } from "./format-diff.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { loadTree } from "../tree/load-tree.ts";
import { CommandExit, InvocationError, UsageError } from "../usage-error.ts";

const outputs: readonly string[] = ["text", "json"];
/** As of `kubectl diff`. */
const exitCodes = { changes: 1, failure: 2 } as const;

/** `landscaper diff`: what a job would change on the targets. */
export const runDiff: CommandRun = async (input, context) => {
  try {
    await diff(input, context);
  } catch (error) {
    throw error instanceof CommandExit ? error : new CommandExit(exitCodes.failure, error);
  }
};

async function diff(...[input, context]: Parameters<CommandRun>): Promise<void> {
  const reference = parseDiffReference(input.argument);
  const output = textOption(input, "output") ?? "text";
  if (!outputs.includes(output)) throw new InvocationError(`-o: expected ${outputs.join(" or ")}, found "${output}"`);
  const timeoutText = textOption(input, "timeout") ?? defaultTimeout;
  const timeoutMs = parseTimeout(timeoutText);
  await withCluster(input, context, async ({ client, namespace }) => {
    const { write, writeJson, writeError, signal, now } = context;
    const objects = await loadTree(client, { namespace, signal });
    const { items, installation } = findDiffItems(reference, objects, namespace);
    const obstacles = describeProblems(
      items.map((each) => {
        const problem = findObstacle(each.item);
        return problem === undefined ? each : { ...each, problem };
      }),
    );
    if (obstacles !== undefined) throw new UsageError(obstacles);
    const judged = [...(installation === undefined ? [] : [installation]), ...items.map(({ item }) => item)];
    for (const object of judged) writeError(describeWarnings(object));
    const planned = await collectPlans(items, { client, namespace, timeoutMs, timeoutText, signal, now, writeError });
    const unknown = judged.slice(0, 1).flatMap((object) => findUnknowns(object, objects));
    if (output === "json") writeJson(formatDiffJson({ items: planned, unknown }, namespace));
    else if (items.length === 0) write(`Installation "${reference.name}" has no deploy items\n`);
    else write(formatDiff(planned, { hasHeadings: installation !== undefined }));
    const problems = describeProblems(planned);
    if (problems !== undefined || unknown.length > 0) {
      throw new UsageError([...(problems === undefined ? [] : [problems]), ...unknown].join("\n"));
    }
    if (hasChanges(planned)) throw new CommandExit(exitCodes.changes);
  });
}

/** What the last job has accepted although it may not be meant so. */
function describeWarnings({
  kind,
  metadata,
  status,
}: KubeObject & { status?: { conditions?: readonly Condition[] } }): string {
  const found = findNewWarnings(status?.conditions, undefined);
  return found === undefined ? "" : `warning: ${kind} "${metadata.name ?? ""}": ${found.message}\n`;
}
