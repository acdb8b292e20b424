import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { waitFor } from "@landscaper/testkit";
import type { CommandResult, UserShell } from "./user-shell.ts";

/** A shell that a user leaves open: the next script sees the variables and background processes of the previous one. */
export interface Terminal {
  /** Runs the lines of a script. The first line that fails ends the terminal. */
  run(script: string): Promise<CommandResult>;
  /** Starts a script in the background, and resolves to its output once this matches `shown`. Throws an Error with the output if the script ends earlier. */
  startUntil(script: string, shown: RegExp): Promise<string>;
  /** Ends the shell and all processes that it started. */
  close(): Promise<void>;
}

const graceMs = 20_000;
const startMs = 120_000;

/**
 * Opens a terminal in the folder of a user's shell. The shell reads its commands from this process: if this process ends for any reason, the shell and its
 * process group also end.
 */
export function openTerminal(shell: UserShell): Terminal {
  const scratch = mkdtempSync(join(tmpdir(), "landscaper-terminal-"));
  const child = spawn("bash", ["-e", "-s"], { cwd: shell.folder, env: shell.env, detached: true });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (chunk: string) => (output[stream] += chunk));
  }
  child.stdin.on("error", () => undefined);
  let status: number | null | undefined;
  const whenClosed = new Promise<void>((resolve) => {
    child.once("close", (code) => {
      status = code;
      resolve();
    });
  });
  child.stdin.write(`trap 'trap "" TERM; kill -TERM 0; wait' EXIT\n`);
  let count = 0;

  /** Returns the command that runs a script in this shell, without the shell's stdin. */
  const source = (script: string): string => {
    count++;
    const file = join(scratch, `${count}.sh`);
    writeFileSync(file, `${script}\n`);
    return `. ${file} < /dev/null`;
  };

  return {
    run: async (script) => {
      const [stdout, stderr] = [output.stdout.length, output.stderr.length];
      const since = (): CommandResult => ({
        status: status === undefined ? 0 : status,
        stdout: output.stdout.slice(stdout),
        stderr: output.stderr.slice(stderr),
      });
      const words = source(script);
      const mark = `(end of script ${count})\n`;
      child.stdin.write(`${words}\nprintf '%s\\n' '${mark.trimEnd()}'\n`);
      for (;;) {
        const found = since();
        if (found.stdout.endsWith(mark)) return { ...found, stdout: found.stdout.slice(0, -mark.length) };
        if (status !== undefined) return { ...found, status: status ?? 1 };
        await Promise.race([whenClosed, new Promise((resolve) => child.stdout.once("data", resolve))]);
      }
    },
    startUntil: async (script, shown) => {
      const from = output.stdout.length;
      child.stdin.write(`{ ${source(script)}; echo "(ended with exit code $?)"; } &\n`);
      const isEnded = (): boolean => output.stdout.includes("(ended with exit code ", from);
      const isShown = (): boolean => shown.test(output.stdout.slice(from));
      await waitFor(() => isEnded() || isShown(), { timeoutMs: startMs }).catch(() => undefined);
      if (isEnded() || !isShown()) throw new Error(`${script}\n${output.stdout.slice(from)}${output.stderr}`);
      return output.stdout.slice(from);
    },
    close: async () => {
      child.stdin.end();
      const timer = new AbortController();
      const late = after(graceMs, "late", { signal: timer.signal }).catch(() => "in time");
      const end = await Promise.race([whenClosed, late]);
      timer.abort();
      if (end === "late") process.kill(-(child.pid ?? 0), "SIGKILL");
      await whenClosed;
      rmSync(scratch, { recursive: true });
    },
  };
}
