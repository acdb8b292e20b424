import { setTimeout as sleep } from "node:timers/promises";
import { buildTree, createScreen, formatTree, loadTree } from "@landscaper/cli";
import { demoInstallation, demoNamespace } from "./apply-samples.ts";
import type { Landscape } from "./landscape.ts";

const pauseMs = 100;
const patienceMs = 120_000;

/** Shows the tree whenever it changes, until the root's job has ended; resolves to its phase. */
export async function followInstallation(landscape: Landscape): Promise<string> {
  const { signal, hub } = landscape;
  const started = Date.now();
  const deadline = started + patienceMs;
  const isTerminal = process.stdout.isTTY;
  const screen = createScreen({
    write: (text) => process.stdout.write(text),
    terminal: isTerminal ? { rows: () => process.stdout.rows } : undefined,
    heading: () => `--- after ${((Date.now() - started) / 1000).toFixed(1)} s`,
  });
  for (;;) {
    const [tree] = buildTree(await loadTree(hub, { namespace: demoNamespace, signal }), demoInstallation);
    if (tree) screen.show(formatTree([tree], { now: Date.now(), color: isTerminal }));
    if (tree && /^(Succeeded|Failed)$/.test(tree.phase) && !tree.isRunning) return tree.phase;
    for (const { name, end } of landscape.processes) if (end !== undefined) throw new Error(`${name} ${end}`);
    if (Date.now() > deadline) throw new Error(`the Installation has not finished within ${patienceMs / 1000} s`);
    await sleep(pauseMs, undefined, { signal });
  }
}
