import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns true for a process that runs, even one of another user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Removes a folder of an ended run. A folder that cannot be removed, such as one of another user, must not stop the new run. */
function tryToRemove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.error(
      `cannot remove ${folder} of an earlier run: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Makes a temporary folder for a run of tests. Its name has the id of this process: an interrupted run cannot remove its folder, so that the next run
 * removes the folders of ended processes.
 */
export function makeRunFolder(parent = tmpdir(), isAlive = isRunning): string {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^landscaper-test-run-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) tryToRemove(join(parent, name));
  }
  return mkdtempSync(join(parent, `landscaper-test-run-${process.pid}-`));
}
