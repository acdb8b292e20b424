import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readProcessStart } from "./process-start.ts";

const pidFile = "demo.pid";

/**
 * Claims the folder for this process and empties it. Throws an Error, and changes nothing, while another demo has it. The pid file of a process that has
 * ended does not count, nor does that of another process which has the same pid now. The returned function lets the next demo have the folder, which keeps its files.
 */
export function claimFolder(folder: string, start = readProcessStart): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, pidFile);
  const own = join(folder, `${process.pid}.pid`);
  writeFileSync(own, `${process.pid} ${start(process.pid)}\n`);
  try {
    // A link fails if the file exists, and has its content from the beginning.
    while (!tryLink(own, file)) {
      const [pid, startedAt] = readOwner(file);
      if (startedAt !== undefined && start(pid) === startedAt) {
        throw new Error(`a demo of this clone runs (pid ${pid}); end it with Ctrl-C there first`);
      }
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
  for (const name of readdirSync(folder)) {
    if (name !== pidFile) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return () => rmSync(file, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readOwner(file: string): readonly [pid: number, start: string | undefined] {
  try {
    const [, pid, start] = /^(\d+) (.+)$/m.exec(readFileSync(file, "utf8")) ?? [];
    return [Number(pid), start];
  } catch {
    // The owner has ended in between.
    return [0, undefined];
  }
}
