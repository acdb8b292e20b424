import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Returns what git prints to stdout; undefined if it fails, such as outside a checkout. */
export function askGit(cwd: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd, encoding: "utf8", maxBuffer: Number.POSITIVE_INFINITY });
  return status === 0 ? stdout : undefined;
}

/** Splits what git prints with -z. */
export function splitPaths(output: string): readonly string[] {
  return output.split("\0").filter((path) => path !== "");
}

/** Returns the paths of all tracked files, and of untracked files that are not ignored, relative to `root`; undefined outside a checkout. */
export function listWorkingTree(root: string): readonly string[] | undefined {
  const output = askGit(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  // Git still lists a tracked file that was removed.
  return output === undefined ? undefined : splitPaths(output).filter((path) => existsSync(join(root, path)));
}
