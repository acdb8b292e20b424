import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** A program that is restarted when it exits. */
export interface SupervisedProcess {
  /** Process id of the running process; undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Sends a signal to the running process. */
  signal(name: NodeJS.Signals): void;
  /** Kills the process and stops restarting it. Resolves when the process has exited. */
  kill(): Promise<void>;
}

/** Stops the restarts of a program that cannot run, for example because its configuration is invalid. */
const maxRestarts = 5;

/** Starts a program, and restarts it without delay each time it exits, at most `maxRestarts` times. */
export function superviseProcess(start: () => ChildProcess): SupervisedProcess {
  let restarts = 0;
  let isKilled = false;
  const run = (): ChildProcess => {
    const started = start();
    started.once("exit", () => {
      if (isKilled || restarts === maxRestarts) return;
      restarts += 1;
      child = run();
    });
    return started;
  };
  let child = run();
  return {
    get pid() {
      return child.pid;
    },
    signal: (name) => void child.kill(name),
    kill: async () => {
      isKilled = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
