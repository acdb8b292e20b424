// Processes below one of ours, in any namespace, by their numbers out here.
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** The children of all threads of a process; none where the system does not say. */
export function childrenOf(pid: number): number[] {
  return globSync(`/proc/${pid}/task/*/children`).flatMap((file) =>
    readIfThere(file).trim().split(" ").filter(Boolean).map(Number),
  );
}

/** "" for a process that has ended meanwhile. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** What a process runs, or the title that it has given itself; "" for one that has ended. */
export function commandOf(pid: number): string {
  return readIfThere(`/proc/${pid}/cmdline`).split("\0")[0] ?? "";
}

/** The first process below `pid` that runs another program than those, which only start others. */
export function findBelow(pid: number, starters: readonly string[]): number | undefined {
  for (const child of childrenOf(pid)) {
    const program = basename(commandOf(child));
    if (program !== "" && !starters.includes(program)) return child;
    const below = findBelow(child, starters);
    if (below !== undefined) return below;
  }
  return undefined;
}
