import { spawn } from "node:child_process";

export interface FirstLogLine {
  readonly text: string;
  /** Since the program was started. */
  readonly milliseconds: number;
}

/** Starts a program and resolves to its first line on stdout or stderr; the program is stopped then. */
export async function firstLogLine(command: string, args: readonly string[]): Promise<FirstLogLine> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    const text = await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (data) => resolve(String(data)));
      child.stderr.once("data", (data) => resolve(String(data)));
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`${args[0] ?? command} ended without a line`)));
    });
    const milliseconds = performance.now() - started;
    if (!text.startsWith("{")) throw new Error(`${args[0] ?? command}: expected a log line, found ${text}`);
    return { text, milliseconds };
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}
