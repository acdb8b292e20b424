import { readFileSync, writeFileSync } from "node:fs";

export interface ProcessUsage {
  /** User and system time since the process started. */
  readonly cpuSeconds: number;
  readonly peakRssMiB: number;
}

/** Clock ticks per second; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** CPU time of a /proc/PID/stat line: fields 14 and 15; the name in parentheses may hold spaces. */
export function parseCpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** CPU time of all children that have ended, of a /proc/PID/stat line: fields 16 and 17. */
export function parseChildrenCpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

/** VmHWM of /proc/PID/status. */
export function parsePeakRssMiB(status: string): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Returns what a process has used so far (Linux). */
export function readProcessUsage(pid: number): ProcessUsage {
  return {
    cpuSeconds: parseCpuSeconds(readFileSync(`/proc/${pid}/stat`, "utf8")),
    peakRssMiB: parsePeakRssMiB(readFileSync(`/proc/${pid}/status`, "utf8")),
  };
}

/** Resets the peak RSS of a process (Linux). */
export function resetPeakRss(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** What the children of this process that have ended have used, in seconds (Linux). */
export function readChildrenCpuSeconds(): number {
  return parseChildrenCpuSeconds(readFileSync("/proc/self/stat", "utf8"));
}
