import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

export interface RunningProcess {
  readonly name: string;
  /** Why it has ended, undefined while it runs. */
  readonly end: string | undefined;
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

/** Starts a process whose output goes to `<directory>/<name>.log`. */
export function startProcess(options: ProcessOptions): RunningProcess {
  const log = openSync(join(options.directory, `${options.name}.log`), "a");
  const child = spawn(options.command, options.args, {
    stdio: ["ignore", log, log],
    env: { ...process.env, ...options.environment },
  });
  let end: string | undefined;
  const ended = once(child, "exit").then(
    ([code, signal]) => (end = `ended with ${signal ?? `exit code ${code}`}`),
    (error: unknown) => (end = `did not start: ${error instanceof Error ? error.message : String(error)}`),
  );
  return {
    name: options.name,
    get end() {
      return end;
    },
    stop: async () => {
      if (end !== undefined) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
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
