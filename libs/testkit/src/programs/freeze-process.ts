import { existsSync, readdirSync, readFileSync } from "node:fs";
import { waitFor } from "../wait-for.ts";

/**
 * Stops a process with SIGSTOP. Resolves when each of its threads stands still: on a busy machine, threads run on for milliseconds after the signal, and a
 * server may still answer. SIGCONT resumes the process. On a system without /proc, resolves at once.
 */
export async function freezeProcess(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  if (!existsSync("/proc/self/task")) return;
  await waitFor(() => listThreadStates(pid).every((state) => state === "T"), { intervalMs: 5 });
}

/** Returns the state of each thread of a process, such as "R" (runs), "S" (sleeps) or "T" (stopped by a signal). Needs /proc. */
export function listThreadStates(pid: number): readonly string[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).flatMap((thread) => {
    try {
      // "PID (NAME) STATE ...": a name may contain parentheses.
      return [/^.*\) (\w)/s.exec(readFileSync(`${folder}/${thread}/stat`, "utf8"))?.[1] ?? ""];
    } catch {
      // The thread has ended.
      return [];
    }
  });
}
