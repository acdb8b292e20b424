import type { CommandContext, CommandInput, CommandRun } from "../command.ts";
import { flagOption, textOption } from "../command.ts";
import { withCluster, type ClusterAccess } from "../cluster-command.ts";
import { buildTree, type TreeNode } from "./build-tree.ts";
import { formatJson } from "./format-json.ts";
import { formatMermaid } from "./format-mermaid.ts";
import { formatTree } from "./format-tree.ts";
import { keepFailed } from "./keep-failed.ts";
import { loadTree } from "./load-tree.ts";
import type { TreeObjects } from "./object-index.ts";
import { createScreen } from "./screen.ts";
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
    else context.write(show(view, await loadTree(access.client, { ...access, signal: context.signal })));
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

async function watch(view: View): Promise<void> {
  const { write, writeError, signal, terminal, now } = view.context;
  const heading = () => `--- ${new Date(now()).toISOString().slice(11, 19)}`;
  const screen = createScreen({ write, terminal, heading });
  const tickMs = terminal === undefined ? undefined : ageTickMs;
  for await (const objects of watchTree({ ...view.access, signal, warn: writeError, tickMs })) {
    screen.show(show(view, objects));
  }
}

function show({ input, context, access, output }: View, objects: TreeObjects): string {
  const all = buildTree(objects, input.argument);
  const isWatched = flagOption(input, "watch");
  if (all.length === 0 && (input.argument !== undefined || output === "text")) {
    const what = input.argument === undefined ? "are no Installations" : `is no Installation "${input.argument}"`;
    const message = `there ${what} in namespace "${access.namespace}"`;
    if (isWatched) return `${message}\n`;
    throw new UsageError(message);
  }
  return format(flagOption(input, "failed") ? keepFailed(all) : all, { output, context, access });
}

function format(
  trees: readonly TreeNode[],
  { output, context, access }: Pick<View, "output" | "context" | "access">,
): string {
  switch (output) {
    case "json":
      return formatJson(trees, access.namespace);
    case "mermaid":
      return formatMermaid(trees);
    case "text": {
      if (trees.length === 0) return `nothing has failed in namespace "${access.namespace}"\n`;
      const color = context.terminal !== undefined && context.environment["NO_COLOR"] === undefined;
      return formatTree(trees, { now: context.now(), color });
    }
  }
}
