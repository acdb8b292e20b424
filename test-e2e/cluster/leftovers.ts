// What a killed run cannot remove carries the id of its process in its name; the next start removes what belongs to nobody any more.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cgroupHierarchies, cgroupRoot, removeCgroups } from "./pod-cgroups.ts";

/** For folders of runs. In memory where the machine offers it: etcd syncs each write to disk, and this data is thrown away. */
export const scratchRoot = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A name for scratch folder and cgroup that says whose they are. */
export function nameOfRun(): string {
  return `landscaper-e2e-${process.pid}-${randomBytes(4).toString("hex")}`;
}

/** Whether this is a name of ours (`nameOfRun`) and its process is gone. */
export function isLeftover(name: string, isAlive: (pid: number) => boolean): boolean {
  const pid = /^landscaper-e2e-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

function findLeftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => isLeftover(name, (pid) => existsSync(`/proc/${pid}`)));
}

/** Removes scratch folders and cgroups of runs that were killed; all else has gone with their processes. What is another user's stays. */
export async function removeLeftovers(): Promise<void> {
  for (const name of findLeftovers(scratchRoot)) {
    await tolerate(() => rmSync(join(scratchRoot, name), { recursive: true, force: true }));
  }
  const cgroups = new Set(cgroupHierarchies(cgroupRoot).flatMap(findLeftovers));
  for (const name of cgroups) await tolerate(() => removeCgroups(cgroupRoot, name));
}

/** What an earlier run has left must not keep a new one from its start. */
async function tolerate(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`e2e: an earlier run's remains could not be removed: ${String(error)}\n`);
  }
}
