import { spawnSync } from "node:child_process";

function askGit(cwd: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Returns the paths of the files that differ from the upstream branch, relative to `root`: by commits, by uncommitted changes, and untracked files.
 * Without an upstream branch, returns only uncommitted changes and untracked files. Throws outside a git checkout.
 */
export function listChangedFiles(root: string): readonly string[] {
  const base = askGit(root, "merge-base", "HEAD", "@{upstream}") ?? "HEAD";
  const changed = askGit(root, "diff", "--name-only", "--no-renames", base);
  const added = askGit(root, "ls-files", "--others", "--exclude-standard");
  if (changed === undefined || added === undefined) throw new Error("--changed: expected a git checkout, found none");
  return [...new Set(`${changed}\n${added}`.split("\n").filter((line) => line !== ""))].toSorted();
}
