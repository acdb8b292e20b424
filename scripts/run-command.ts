import { spawnSync } from "node:child_process";

/** A program and its arguments. */
export type CommandLine = readonly [command: string, ...args: string[]];

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** How much of the output an error shows: lines from its end. */
const tailLines = 40;
const maxOutputBytes = 256 * 1024 * 1024;

/** Runs a command to its end and returns what it prints on stdout. Throws with the end of its output when it fails. */
export function runCommand([command, ...args]: CommandLine, options: CommandOptions = {}): string {
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: "utf8",
    maxBuffer: maxOutputBytes,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return stdout;
  const output = `${stdout ?? ""}${stderr ?? ""}`.trimEnd().split("\n").slice(-tailLines).join("\n");
  const reason = error?.message ?? (signal === null ? `exit code ${status}` : `signal ${signal}`);
  throw new Error(`${[command, ...args].join(" ")} failed (${reason}):\n${output}`);
}

/** Like runCommand, but returns undefined if the command fails or is missing. */
export function tryCommand(line: CommandLine, options: CommandOptions = {}): string | undefined {
  try {
    return runCommand(line, options);
  } catch {
    return undefined;
  }
}
