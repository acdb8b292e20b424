import { spawn } from "node:child_process";

/** Starts a program and resolves to the ms until its first line on stdout or stderr; the program is stopped then. */
export async function firstLogLine(command: string, args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (data) => resolve(String(data)));
      child.stderr.once("data", (data) => resolve(String(data)));
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`${args[0] ?? command} ended without a line`)));
    });
    if (!line.startsWith("{")) throw new Error(`${args[0] ?? command}: expected a log line, found ${line}`);
    return performance.now() - started;
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}
