import { setTimeout as sleep } from "node:timers/promises";
import { buildTree, createOutput, formatTree, loadTree } from "@landscaper/cli";
import type { Landscape } from "./landscape.ts";

export const demoNamespace = "demo";
export const demoInstallation = "shop";

const pauseMs = 100;
const patienceMs = 120_000;

/** Shows the tree whenever it changes, until the root's job has ended; resolves to its phase. Throws what `failure` resolves to before there is a job. */
export async function followInstallation(landscape: Landscape, failure: Promise<unknown>): Promise<string> {
  let failed: unknown;
  void failure.then((error) => (failed = error));
  const { signal, hub } = landscape;
  const started = Date.now();
  const deadline = started + patienceMs;
  const { stdout, stderr } = process;
  const output = createOutput({
    out: (text) => stdout.write(text),
    outBytes: async (bytes) => void stdout.write(bytes),
    err: (text) => stderr.write(text),
    terminal: stdout.isTTY ? { rows: () => stdout.rows } : undefined,
    environment: process.env,
  });
  const screen = output.createScreen({ heading: () => `--- after ${((Date.now() - started) / 1000).toFixed(1)} s` });
  for (;;) {
    const [tree] = buildTree(await loadTree(hub, { namespace: demoNamespace, signal }), demoInstallation);
    if (tree) screen.show(formatTree([tree], { now: Date.now() }));
    if (tree && /^(Succeeded|Failed)$/.test(tree.phase) && !tree.isRunning) return tree.phase;
    if (failed !== undefined && tree === undefined) throw failed;
    for (const { name, end } of landscape.processes) if (end !== undefined) throw new Error(`${name} ${end}`);
    if (Date.now() > deadline) throw new Error(`the Installation has not finished within ${patienceMs / 1000} s`);
    await sleep(pauseMs, undefined, { signal });
  }
}
