import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { findProgram } from "@landscaper/testkit";

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives stdout and stderr; opened for appending. */
  readonly logFile: string;
}

/** A process of ours: known by its pid, with its output in a file. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** "exit code 1" or "signal SIGKILL" once it has ended. */
  readonly ended: string | undefined;
  /** Resolves when the process has ended, to the value of `ended`. */
  readonly whenEnded: Promise<string>;
  /** SIGTERM, then SIGKILL when it is still there after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
  kill(): Promise<void>;
}

/** Where the kernel can do it, a child dies with us, also when we are killed: an aborted run leaves nothing behind. */
const setpriv = findProgram("setpriv");

/** The last lines of a log file, for error messages. */
export function tailOf(file: string, lines = 25): string {
  if (!existsSync(file)) return "(no output)";
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
}

export function startChild({ name, command, args, env, logFile }: ChildOptions): Child {
  const log = openSync(logFile, "a");
  const [file, ...rest] =
    setpriv === undefined ? [command, ...args] : [setpriv, "--pdeathsig", "KILL", "--", command, ...args];
  const child = spawn(file ?? command, rest, { env: env ?? process.env, stdio: ["ignore", log, log] });
  closeSync(log);
  let ended: string | undefined;
  const whenEnded = new Promise<string>((resolve) => {
    const end = (text: string): void => {
      ended = text;
      resolve(text);
    };
    child.once("exit", (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
    child.once("error", (error) => end(error.message));
  });

  async function stop(graceMs = 5000): Promise<void> {
    if (ended !== undefined) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await whenEnded;
    clearTimeout(timer);
  }

  return {
    name,
    pid: child.pid ?? -1,
    logFile,
    get ended() {
      return ended;
    },
    whenEnded,
    stop,
    async kill() {
      if (ended === undefined) child.kill("SIGKILL");
      await whenEnded;
    },
  };
}
