import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Child } from "../../cluster/child.ts";
import { startChild } from "../../cluster/child.ts";
import { createUserShell, type CommandResult } from "./user-shell.ts";

const root = join(import.meta.dirname, "../../..");
/** These find the workspace by their own place. */
const copied: ReadonlySet<string> = new Set(["bin", "scripts"]);
const leftOut: ReadonlySet<string> = new Set([".git", "dist"]);

/**
 * A folder like a clone of the project after its first command: sources and packages are those of the workspace, `dist` is its own. A
 * build in it does not touch the bundles that other suites run.
 */
export interface Checkout {
  write(name: string, text: string): void;
  /** Runs lines of a shell up to the first that fails. */
  run(script: string, stdin?: string): Promise<CommandResult>;
  /** Starts a process by the last line of a script; the lines before it prepare its shell. */
  start(name: string, script: readonly string[]): Child;
  dispose(): void;
}

/** `programs`: a folder that comes first in PATH. `kubeconfig`: file in the checkout that kubectl and the command use. */
export function createCheckout({ programs, kubeconfig }: { programs: string; kubeconfig: string }): Checkout {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-checkout-"));
  for (const name of readdirSync(root).filter((each) => !leftOut.has(each))) {
    if (copied.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
    else symlinkSync(join(root, name), join(folder, name));
  }
  const shell = createUserShell({ folder, programs: [programs], kubeconfig });
  return {
    write: (name, text) => writeFileSync(join(folder, name), text, { mode: 0o600 }),
    run: shell.run,
    start(name, script) {
      const lines = [`cd ${folder}`, ...script.slice(0, -1), `exec ${script.at(-1) ?? ""}`];
      const args = ["-e", "-c", lines.join("\n")];
      return startChild({ name, command: "bash", args, env: shell.env, logFile: join(folder, `${name}.log`) });
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
