import { readFileSync } from "node:fs";

/** Ticks of Linux' accounting of processor time, the same on all of its platforms that node runs on. */
const msPerTick = 10;
const bytesPerPage = 4096;

export interface ProcessUsage {
  /** Of the main thread, since its start. */
  readonly processorMs: number;
  readonly residentBytes: number;
}

/** What a process has used so far; undefined where the system does not say, or the process has ended. */
export function readProcessUsage(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "latin1");
    // The name, in parentheses, may have spaces: what follows begins with field 3, the state.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]);
    return { processorMs: ticks * msPerTick, residentBytes: pages * bytesPerPage };
  } catch {
    return undefined;
  }
}
