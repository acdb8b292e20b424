import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findProgram } from "@landscaper/testkit";

/** Returns a text that tells a running process from an earlier one with the same pid; undefined if the process has ended. */
export function readProcessStart(pid: number): string | undefined {
  if (process.platform !== "linux") {
    const ps = findProgram("ps") ?? "ps";
    return parsePs(spawnSync(ps, ["-o", "stat=,lstart=", "-p", `${pid}`], { encoding: "utf8" }).stdout ?? "");
  }
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return undefined;
  }
}

/** A zombie has ended, although its parent has not read its exit code. */
const hasEnded = (state: string): boolean => /^[ZX]/.test(state);

/** Parses /proc/PID/stat of Linux. Pure. */
export function parseProcStat(stat: string): string | undefined {
  // The name, in parentheses, may have spaces: what follows begins with field 3, the state. Field 22 is the start.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return hasEnded(fields[0] ?? "") ? undefined : fields[22 - 3];
}

/** Parses `ps -o stat=,lstart=`. Pure. */
export function parsePs(line: string): string | undefined {
  const [, state = "Z", start] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(line) ?? [];
  return hasEnded(state) ? undefined : start;
}
