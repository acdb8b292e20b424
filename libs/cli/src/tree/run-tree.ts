import type { CommandContext, CommandInput, CommandRun } from "../command.ts";
import { flagOption, textOption } from "../command.ts";
import { withCluster, type ClusterAccess } from "../cluster-command.ts";
import { buildTree, type TreeNode } from "./build-tree.ts";
import { formatJson } from "./format-json.ts";
import { formatMermaid } from "./format-mermaid.ts";
import { formatTree } from "./format-tree.ts";
import { plainLines, type StyledLine } from "../output/styled-text.ts";
import { keepFailed } from "./keep-failed.ts";
import { loadTree } from "./load-tree.ts";
import type { TreeObjects } from "./object-index.ts";
import { watchTree } from "./watch-tree.ts";
import { InvocationError, UsageError } from "../usage-error.ts";

const outputs = ["text", "json", "mermaid"] as const;
type Output = (typeof outputs)[number];

/** Ages on a terminal go on when nothing else changes. */
const ageTickMs = 1000;

/** `landscaper tree`: where jobs stand, and the first leaf that failed. */
export const runTree: CommandRun = async (input, context) => {
  const output = parseOutput(textOption(input, "output"));
  const isWatch = flagOption(input, "watch");
  if (isWatch && output !== "text") throw new InvocationError(`--watch shows text; it does not go with -o ${output}`);
  await withCluster(input, context, async (access) => {
    const view: View = { input, context, access, output };
    if (isWatch) await watch(view);
    else print(view, await loadTree(access.client, { ...access, signal: context.signal }));
  });
};

interface View {
  readonly input: CommandInput;
  readonly context: CommandContext;
  readonly access: ClusterAccess;
  readonly output: Output;
}

function parseOutput(text = "text"): Output {
  const output = outputs.find((known) => known === text);
  if (output === undefined) throw new InvocationError(`-o: expected ${outputs.join(", ")}, found "${text}"`);
  return output;
}

async function watch({ input, context, access }: View): Promise<void> {
  const { writeError, signal, terminal, now } = context;
  const heading = () => `--- ${new Date(now()).toISOString().slice(11, 19)}`;
  const screen = context.createScreen({ heading });
  const tickMs = terminal === undefined ? undefined : ageTickMs;
  for await (const objects of watchTree({ ...access, signal, warn: writeError, tickMs })) {
    const all = buildTree(objects, input.argument);
    const isEmpty = all.length === 0;
    screen.show(isEmpty ? plainLines(describeEmpty(input, access)) : formatText(input, all, { context, access }));
  }
}

function print({ input, context, access, output }: View, objects: TreeObjects): void {
  const all = buildTree(objects, input.argument);
  if (all.length === 0 && (input.argument !== undefined || output === "text")) {
    throw new UsageError(describeEmpty(input, access));
  }
  switch (output) {
    case "json":
      return context.writeJson(formatJson(choose(input, all), access.namespace));
    case "mermaid":
      return context.write(formatMermaid(choose(input, all)));
    case "text":
      return context.writeLines(formatText(input, all, { context, access }));
  }
}

function describeEmpty({ argument }: CommandInput, { namespace }: ClusterAccess): string {
  const missing = argument === undefined ? "are no Installations" : `is no Installation "${argument}"`;
  return `there ${missing} in namespace "${namespace}"`;
}

function choose(input: CommandInput, all: readonly TreeNode[]): readonly TreeNode[] {
  return flagOption(input, "failed") ? keepFailed(all) : all;
}

function formatText(
  input: CommandInput,
  all: readonly TreeNode[],
  { context, access }: Pick<View, "context" | "access">,
): readonly StyledLine[] {
  const trees = choose(input, all);
  if (trees.length === 0) return plainLines(`nothing has failed in namespace "${access.namespace}"`);
  return formatTree(trees, { now: context.now() });
}
