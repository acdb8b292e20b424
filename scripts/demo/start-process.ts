import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { findProgram } from "@landscaper/testkit";

export interface RunningProcess {
  readonly name: string;
  /** Why it has ended, undefined while it runs. */
  readonly end: string | undefined;
  /** Resolves to `end`. */
  readonly whenEnded: Promise<string>;
  readonly logFile: string;
  /** Asks it to stop, kills it after 5 s. */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** With it, the kernel ends a process when this one ends for any reason. */
const setpriv = findProgram("setpriv");

/** Starts a process whose output goes to `<directory>/<name>.log`. */
export function startProcess(options: ProcessOptions): RunningProcess {
  const logFile = join(options.directory, `${options.name}.log`);
  const log = openSync(logFile, "a");
  const words = [options.command, ...options.args];
  const [command = "", ...args] = setpriv === undefined ? words : [setpriv, "--pdeathsig", "KILL", "--", ...words];
  const child = spawn(command, args, {
    stdio: ["ignore", log, log],
    env: { ...process.env, ...options.environment },
  });
  closeSync(log);
  let end: string | undefined;
  const whenEnded = once(child, "exit").then(
    ([code, signal]) => (end = `ended with ${signal ?? `exit code ${code}`}`),
    (error: unknown) => (end = `did not start: ${error instanceof Error ? error.message : String(error)}`),
  );
  return {
    name: options.name,
    get end() {
      return end;
    },
    whenEnded,
    logFile,
    stop: async () => {
      if (end !== undefined) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await whenEnded;
      clearTimeout(timer);
    },
  };
}

/** A port on 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return address.port;
}
