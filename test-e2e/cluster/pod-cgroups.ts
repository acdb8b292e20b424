// The cgroups of a run's pods: the only traces outside of the sandbox that do not go with its last process.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Where they are by custom. */
export const cgroupRoot = "/sys/fs/cgroup";

const removalMs = 10_000;
const pauseMs = 50;

/** Controllers that a kubelet cannot do without. */
const needed = ["cpu", "cpuacct", "cpuset", "memory", "pids"];

/** Whether this is cgroup v1 with all that a kubelet needs. */
export function hasCgroupControllers(root: string): boolean {
  return needed.every((name) => existsSync(join(root, name, "cgroup.procs")));
}

/** Folders of `root` that are hierarchies of cgroups: one per controller, that of systemd, the unified one. */
export function cgroupHierarchies(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .map((name) => join(root, name))
    .filter((folder) => lstatSync(folder).isDirectory() && existsSync(join(folder, "cgroup.procs")));
}

/** Creates the cgroup in all hierarchies of v1; its processors and memory are those of the root. */
export function createCgroups(root: string, name: string): void {
  for (const hierarchy of cgroupHierarchies(root)) {
    // That of v2 has no controllers here.
    if (existsSync(join(hierarchy, "cgroup.controllers"))) continue;
    const folder = join(hierarchy, name);
    mkdirSync(folder);
    for (const file of ["cpuset.cpus", "cpuset.mems"]) {
      const own = join(hierarchy, file);
      if (existsSync(own)) writeFileSync(join(folder, file), readFileSync(own, "utf8").trim());
    }
  }
}

/** Removes the cgroup and those below in all hierarchies; waits for processes that are about to end. */
export async function removeCgroups(root: string, name: string): Promise<void> {
  const deadline = Date.now() + removalMs;
  for (const hierarchy of cgroupHierarchies(root)) {
    const folder = join(hierarchy, name);
    for (;;) {
      try {
        removeFolders(folder);
        break;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await sleep(pauseMs);
      }
    }
  }
}

/** Only folders can be removed from a cgroup, and its files go with it. */
function removeFolders(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeFolders(join(folder, entry.name));
  }
  rmdirSync(folder);
}
