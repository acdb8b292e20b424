import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** Processes that keep a machine busy. */
export interface MachineLoad {
  stop(): void;
}

/**
 * Starts `processors` busy loops, and a process that keeps the disk of `file` busy: it writes 8 MiB and waits until the disk has them, again and
 * again. All of them end with this process, however it ends.
 */
export function startMachineLoad({
  processors,
  file,
}: {
  readonly processors: number;
  readonly file: string;
}): MachineLoad {
  const program = join(import.meta.dirname, "load-machine.mjs");
  const start = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [program, ...args], { stdio: ["pipe", "ignore", "inherit"] });
  const children = [...Array.from({ length: processors }, () => start("processor")), start("disk", file)];
  return {
    stop: () => {
      for (const child of children) child.kill();
    },
  };
}
