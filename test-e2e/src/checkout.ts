import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Child } from "../cluster/child.ts";
import { startChild } from "../cluster/child.ts";

const root = join(import.meta.dirname, "../..");
/** These find the workspace by their own place. */
const copied: ReadonlySet<string> = new Set(["bin", "scripts"]);
const leftOut: ReadonlySet<string> = new Set([".git", "dist"]);

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

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

/** PATH as the user's shell has it: without what `npm run` and the workspace's scripts have put in front. */
function userPath(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.filter((folder) => !folder.includes("node_modules")).join(delimiter);
}

/** `programs`: a folder that comes first in PATH. `kubeconfig`: file in the checkout that kubectl and the command use. */
export function createCheckout({ programs, kubeconfig }: { programs: string; kubeconfig: string }): Checkout {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-checkout-"));
  for (const name of readdirSync(root).filter((each) => !leftOut.has(each))) {
    if (copied.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
    else symlinkSync(join(root, name), join(folder, name));
  }
  const env = {
    ...process.env,
    PATH: `${programs}${delimiter}${userPath()}`,
    // kubectl keeps what it knows of a server by the server's address, and another run may have had the same port.
    HOME: folder,
    KUBECONFIG: join(folder, kubeconfig),
    MY_POD_NAME: undefined,
    MY_POD_NAMESPACE: undefined,
    NATS_URL: undefined,
  };
  return {
    write: (name, text) => writeFileSync(join(folder, name), text, { mode: 0o600 }),
    async run(script, stdin = "") {
      const child = spawn("bash", ["-e", "-c", script], { cwd: folder, env });
      const output = { stdout: "", stderr: "" };
      for (const stream of ["stdout", "stderr"] as const) {
        child[stream].setEncoding("utf8").on("data", (chunk: string) => (output[stream] += chunk));
      }
      child.stdin.end(stdin);
      return new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (status) => resolve({ status, ...output }));
      });
    },
    start(name, script) {
      const lines = [`cd ${folder}`, ...script.slice(0, -1), `exec ${script.at(-1) ?? ""}`];
      const args = ["-e", "-c", lines.join("\n")];
      return startChild({ name, command: "bash", args, env, logFile: join(folder, `${name}.log`) });
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
