import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listWorkingTree } from "../../../scripts/working-tree.ts";

const root = join(import.meta.dirname, "../../..");
/** Folder of the installed packages, by far the most files. The clone links to the workspace's, so nothing may install packages in the clone. */
const packageStore = ".pnpm";

/** Copies the sources into a folder, as `git clone` would. */
export function copySources(folder: string): void {
  for (const file of listWorkingTree(root) ?? []) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
}

/** A clone of the project after its first command: its own sources in one commit, and the third-party packages of the workspace. */
export interface Clone {
  readonly folder: string;
  dispose(): void;
}

export function createClone(): Clone {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-clone-"));
  copySources(folder);
  const manifests = (listWorkingTree(root) ?? []).filter((file) => file.endsWith("package.json"));
  for (const manifest of manifests) linkPackages(dirname(manifest), folder);
  commitAll(folder);
  return { folder, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Commits all files, independent of the user's git configuration, such as signing and hooks. */
function commitAll(folder: string): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const steps = [
    ["init", "--quiet"],
    ["add", "--all"],
    [...identity, "commit", "--quiet", "--message", "clone"],
  ];
  for (const args of steps) {
    const { status, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8", env });
    if (status !== 0) throw new Error(`git ${args.join(" ")} failed in ${folder}: ${stderr}`);
  }
}

/** Copies `node_modules` of a package into the clone. Its links are relative, so that links to packages of the workspace point into the clone. */
function linkPackages(dir: string, folder: string): void {
  const from = join(root, dir, "node_modules");
  const to = join(folder, dir, "node_modules");
  if (!existsSync(from)) return;
  mkdirSync(to);
  for (const name of readdirSync(from).filter((each) => each !== ".cache")) {
    if (name === packageStore) symlinkSync(join(from, name), join(to, name));
    else cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}
