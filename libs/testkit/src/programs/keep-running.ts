import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** A program that is started again if it ends by itself. */
export interface KeptProcess {
  /** Sends a signal to the running process. */
  signal(name: NodeJS.Signals): void;
  /** Kills the process, and does not start it again. Resolves when it has ended. */
  kill(): Promise<void>;
}

/** A program that cannot run, such as one with an invalid configuration, must not start without end. */
const maxRestarts = 5;

/** Starts a program, and starts it again if it ends by itself, as a process manager does: at most five times. */
export function keepRunning(start: () => ChildProcess): KeptProcess {
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
