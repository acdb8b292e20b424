import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { askGit, splitPaths } from "../working-tree.ts";

export interface ChangedFile {
  /** Relative to the root. */
  readonly path: string;
  /** Text of the file; if it is deleted, its text at the base. */
  readonly text: string;
  readonly isDeleted: boolean;
}

export interface Changes {
  /** The commit that the files are compared with, for messages: "e7019b55 (merge base with origin/main)". */
  readonly base: string;
  readonly files: readonly ChangedFile[];
}

/** What HEAD may have branched off, the first that exists. */
const origins = ["@{upstream}", "origin/HEAD", "origin/main", "main"];

/**
 * Reads the files that differ from the merge base with the upstream branch, or with the main branch if there is no upstream branch: by commits, by
 * uncommitted changes, and untracked files. Throws an Error outside a git checkout, and if no branch has a merge base with HEAD.
 */
export function readChanges(root: string): Changes {
  const git = (...args: readonly string[]): string | undefined => askGit(root, ...args)?.trim();
  if (git("rev-parse", "--is-inside-work-tree") !== "true")
    throw new Error("--changed: expected a git checkout, found none");
  for (const origin of origins) {
    const commit = git("merge-base", "HEAD", origin);
    if (commit === undefined) continue;
    const name = git("rev-parse", "--abbrev-ref", origin) ?? origin;
    const short = git("rev-parse", "--short", commit) ?? commit;
    return { base: `${short} (merge base with ${name})`, files: readFiles(root, commit) };
  }
  throw new Error(
    `--changed: expected a commit that HEAD shares with an upstream branch, origin/HEAD, origin/main or main, found none; ` +
      "set an upstream branch: git branch --set-upstream-to=REMOTE/BRANCH",
  );
}

function readFiles(root: string, commit: string): readonly ChangedFile[] {
  const changed = askGit(root, "diff", "-z", "--name-only", "--no-renames", "--relative", commit) ?? "";
  const added = askGit(root, "ls-files", "-z", "--others", "--exclude-standard") ?? "";
  const paths = new Set([...splitPaths(changed), ...splitPaths(added)]);
  return [...paths].toSorted().map((path) => {
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (stats === undefined) return { path, text: askGit(root, "show", `${commit}:./${path}`) ?? "", isDeleted: true };
    // Git also lists symbolic links and other repositories.
    return { path, text: stats.isFile() ? readFileSync(join(root, path), "utf8") : "", isDeleted: false };
  });
}
