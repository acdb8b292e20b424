import type { SpawnOptions } from "node:child_process";

export interface ChildEnd {
  /** Exit code of the child. If a signal ended the child: 128 plus the number of the signal that this process received, or 1 if it received none. */
  readonly status: number;
  /** Signal that this process received while the child ran. The caller must stop. */
  readonly received?: NodeJS.Signals;
}

/**
 * Runs a program and waits for its end. Forwards SIGTERM, SIGHUP, and SIGINT unless stdin is a terminal: otherwise the child would keep running without its
 * parent.
 *
 * @throws Error if the program cannot be started
 */
export function runChild(command: string, args: readonly string[], options: SpawnOptions): Promise<ChildEnd>;
