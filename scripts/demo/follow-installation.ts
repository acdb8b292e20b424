import { setTimeout as sleep } from "node:timers/promises";
import { buildTree, formatTree, loadTree } from "@landscaper/cli";
import type { TreeNode } from "@landscaper/cli";
import { demoInstallation, demoNamespace } from "./apply-samples.ts";
import type { Landscape } from "./landscape.ts";

const pauseMs = 100;
const patienceMs = 120_000;

/** Shows the tree whenever it changes, until the root's job has ended; resolves to its phase. */
export async function followInstallation(landscape: Landscape): Promise<string> {
  const { signal, hub } = landscape;
  const show = createScreen();
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const [tree] = buildTree(await loadTree(hub, { namespace: demoNamespace, signal }), demoInstallation);
    if (tree) show([tree]);
    if (tree && /^(Succeeded|Failed)$/.test(tree.phase) && !tree.isRunning) return tree.phase;
    for (const { name, end } of landscape.processes) if (end !== undefined) throw new Error(`${name} ${end}`);
    if (Date.now() > deadline) throw new Error(`the Installation has not finished within ${patienceMs / 1000} s`);
    await sleep(pauseMs, undefined, { signal });
  }
}

/** On a terminal the tree is redrawn in place; elsewhere each change is printed below the last. */
function createScreen(): (trees: readonly TreeNode[]) => void {
  const isTerminal = process.stdout.isTTY;
  const started = Date.now();
  let last = "";
  return (trees) => {
    const text = formatTree(trees, { now: Date.now(), color: isTerminal });
    const shape = text.replace(/ +[0-9]+[smhd]$/gm, "");
    if (shape === last && !isTerminal) return;
    if (isTerminal && last !== "") process.stdout.write(`\x1b[${last.split("\n").length - 1}A\x1b[0J`);
    process.stdout.write(isTerminal ? text : `--- after ${((Date.now() - started) / 1000).toFixed(1)} s\n${shape}`);
    last = isTerminal ? text : shape;
  };
}
