import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "@landscaper/testkit";
import { provideBinaries } from "../../cluster/binaries.ts";

interface KubectlResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface KubectlOptions {
  readonly stdin?: string;
  /** Ends the command, e.g. a watch that has shown enough. */
  readonly signal?: AbortSignal;
  readonly onStdout?: (soFar: string) => void;
}

/** The real kubectl against one cluster. */
export interface Kubectl {
  run(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** Removes the kubeconfig file. */
  dispose(): void;
}

/** The pinned kubectl where it is built, else the machine's; undefined when there is neither. */
export function findKubectl(): string | undefined {
  const binaries = provideBinaries(() => undefined);
  return "missing" in binaries ? findProgram("kubectl") : binaries.kubectl;
}

export function createKubectl(program: string, kubeconfig: string): Kubectl {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-kubectl-"));
  const file = join(folder, "kubeconfig");
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  // An own HOME: discovery is cached per server address, and another run may have had the same port.
  const env = { ...process.env, HOME: folder, KUBECONFIG: file };
  return {
    async run(args, { stdin, signal, onStdout } = {}) {
      const child = spawn(program, args, { env, ...(signal === undefined ? {} : { signal }) });
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        stdout += chunk;
        onStdout?.(stdout);
      });
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        stderr += chunk;
      });
      // A kubectl that reads nothing may be gone before this is written: how it ended tells more.
      child.stdin.once("error", () => undefined).end(stdin ?? "");
      return new Promise((resolve, reject) => {
        child.once("error", (error) => {
          if (signal?.aborted !== true) reject(error);
        });
        child.once("close", (status) => resolve({ status, stdout, stderr }));
      });
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
