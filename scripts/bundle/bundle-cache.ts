// Keeps the bundles of earlier builds in a folder of the user. Bundling all programs takes 45 s of processor time, and several clones of one commit need them.
import { createHash, randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { userCacheFolder } from "../user-cache.ts";
import { listWorkingTree } from "../working-tree.ts";

/** Number of builds that are kept. Each takes about 140 MB. */
const keptBuilds = 3;
/** Unfinished entries of processes that were killed. */
const abandonedMs = 3_600_000;

/** Files that may change a bundle. Tests, their data and pages are not part of it. */
const sources = /^(?:(?:libs|services|scripts)\/|(?:package|tsconfig[^/]*)\.json$|pnpm-[^/]+\.yaml$)/;
const others = /\.test\.ts$|\.md$|\/(?:test|testdata)\//;

/** Returns a hash of the sources of the bundles, the locked packages and Node; undefined outside a checkout. */
export function hashSources(root: string): string | undefined {
  const files = listWorkingTree(root)?.filter((file) => sources.test(file) && !others.test(file));
  if (files === undefined) return undefined;
  const hash = createHash("sha256").update(process.version);
  for (const file of files.toSorted()) {
    const content = createHash("sha256")
      .update(readFileSync(join(root, file)))
      .digest();
    hash.update(`\n${file}\n`).update(content);
  }
  return hash.digest("hex");
}

/** Folder of the kept builds: LANDSCAPER_BUILD_CACHE, or a folder of the user. */
export function buildCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env["LANDSCAPER_BUILD_CACHE"] ?? join(userCacheFolder(env), "landscaper-build");
}

/** The kept bundles of one state of the sources. All paths are relative to the output folder. */
export interface BundleCache {
  /** Copies the files of a program into the output folder, and returns their paths; undefined if they are not kept. */
  restore(program: string, outdir: string): readonly string[] | undefined;
  /** Keeps files of a program that the output folder has. Removes the builds that were not used for longest. */
  store(program: string, outdir: string, files: readonly string[]): void;
}

/** Opens the kept bundles of sources with this hash. */
export function openBundleCache(folder: string, hash: string): BundleCache {
  const build = join(folder, hash);
  return {
    restore: (program, outdir) => {
      try {
        return copyFolder(join(build, program), outdir);
      } catch (error) {
        // It is not kept, or another process removes it at this moment.
        if (!existsSync(join(build, program))) return undefined;
        throw error;
      }
    },
    store: (program, outdir, files) => {
      mkdirSync(build, { recursive: true });
      const staging = join(folder, `unfinished-${randomUUID()}`);
      try {
        copyFiles(files, { from: outdir, to: staging });
        renameSync(staging, join(build, program));
      } catch (error) {
        // Another process may have kept the same.
        if (!existsSync(join(build, program))) throw error;
      } finally {
        rmSync(staging, { recursive: true, force: true });
      }
      removeOldBuilds(folder);
    },
  };
}

/** Copies all files of a kept program, and returns their paths. */
function copyFolder(from: string, to: string): readonly string[] {
  const entries = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name).slice(from.length + 1));
  copyFiles(files, { from, to });
  const now = new Date();
  utimesSync(dirname(from), now, now);
  return files;
}

function copyFiles(files: readonly string[], { from, to }: { readonly from: string; readonly to: string }): void {
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(from, file), join(to, file));
  }
}

function removeOldBuilds(folder: string): void {
  const entries = readdirSync(folder).map((name) => ({
    path: join(folder, name),
    name,
    usedMs: usedMs(join(folder, name)),
  }));
  const isUnfinished = ({ name }: { readonly name: string }): boolean => name.startsWith("unfinished-");
  const old = entries.filter((entry) => !isUnfinished(entry)).toSorted((a, b) => b.usedMs - a.usedMs);
  const abandoned = entries.filter((entry) => isUnfinished(entry) && entry.usedMs < Date.now() - abandonedMs);
  for (const { path } of [...old.slice(keptBuilds), ...abandoned]) rmSync(path, { recursive: true, force: true });
}

/** Time of the last use; 0 if another process has removed the folder. */
function usedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
