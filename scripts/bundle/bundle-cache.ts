// Caches the bundles of earlier builds for all clones of a user. Bundling all programs takes 47 s of processor time.
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
import { dirname, join, resolve } from "node:path";
import { userCacheFolder } from "../user-cache.ts";
import { listWorkingTree } from "../working-tree.ts";

/** Maximum number of cached builds. Each has about 140 MB. */
const maxBuilds = 3;
/** Age in ms at which an unfinished entry belongs to a killed process. */
const abandonedMs = 3_600_000;
const buildPrefix = "build-";
const unfinishedPrefix = "unfinished-";

/** Sources of bundles. */
const sources = /^(?:(?:libs|services|scripts)\/|(?:package|tsconfig[^/]*)\.json$|pnpm-[^/]+\.yaml$)/;
/** Files among them that no bundle contains: tests, test data and Markdown. */
const excluded = /\.test\.ts$|\.md$|\/(?:test|testdata)\//;

/** Returns the files that determine the bundles, relative to `root`; undefined outside a checkout. */
export function listBundleSources(root: string): readonly string[] | undefined {
  return listWorkingTree(root)?.filter((file) => sources.test(file) && !excluded.test(file));
}

/** Returns a hash of the bundles' sources, the lock file and the Node version; undefined outside a checkout. */
export function hashSources(root: string): string | undefined {
  const files = listBundleSources(root);
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

/** Returns the cache folder: LANDSCAPER_BUILD_CACHE if set, otherwise a folder in the user's cache. */
export function buildCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { LANDSCAPER_BUILD_CACHE: folder = "" } = env;
  return folder === "" ? join(userCacheFolder(env), "landscaper-build") : resolve(folder);
}

/** Cached bundles of one source hash. `files` are relative to the output folder. */
export interface BundleCache {
  /** Copies a program's files into the output folder and returns their paths; undefined if the program is not cached. */
  restore(program: string, outdir: string): readonly string[] | undefined;
  /** Caches files of the output folder. Removes the least recently used builds. */
  store(program: string, outdir: string, files: readonly string[]): void;
}

/** Opens the cache for sources with this hash. The folder may have files of other programs. */
export function openBundleCache(folder: string, hash: string): BundleCache {
  const build = join(folder, `${buildPrefix}${hash}`);
  return {
    restore: (program, outdir) => {
      try {
        return copyProgram(join(build, program), outdir);
      } catch (error) {
        // The program is not cached, or another process removes it concurrently.
        if (!existsSync(join(build, program))) return undefined;
        throw error;
      }
    },
    store: (program, outdir, files) => {
      mkdirSync(build, { recursive: true });
      const staging = join(folder, `${unfinishedPrefix}${randomUUID()}`);
      try {
        copyFiles(files, { from: outdir, to: staging });
        renameSync(staging, join(build, program));
      } catch (error) {
        // Another process may have cached the same program.
        if (!existsSync(join(build, program))) throw error;
      } finally {
        rmSync(staging, { recursive: true, force: true });
      }
      removeOldBuilds(folder);
    },
  };
}

/** Copies a cached program, marks its build as used, and returns the copied files. */
function copyProgram(from: string, to: string): readonly string[] {
  const entries = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name).slice(from.length + 1));
  const now = new Date();
  // Before the files: a build that is being copied must not be the least recently used one.
  utimesSync(dirname(from), now, now);
  copyFiles(files, { from, to });
  return files;
}

function copyFiles(files: readonly string[], { from, to }: { readonly from: string; readonly to: string }): void {
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(from, file), join(to, file));
  }
}

function removeOldBuilds(folder: string): void {
  const list = (prefix: string) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .map((name) => ({ path: join(folder, name), usedMs: lastUseMs(join(folder, name)) }));
  const old = list(buildPrefix).toSorted((a, b) => b.usedMs - a.usedMs);
  for (const { path } of old.slice(maxBuilds)) removeBuild(folder, path);
  const abandoned = list(unfinishedPrefix).filter(({ usedMs }) => usedMs < Date.now() - abandonedMs);
  for (const { path } of abandoned) rmSync(path, { recursive: true, force: true });
}

/** Renames the folder first: a process that is killed here must not leave an incomplete build. */
function removeBuild(folder: string, path: string): void {
  const removed = join(folder, `${unfinishedPrefix}${randomUUID()}`);
  try {
    renameSync(path, removed);
  } catch (error) {
    // Another process may have removed it.
    if (existsSync(path)) throw error;
    return;
  }
  rmSync(removed, { recursive: true, force: true });
}

/** Returns the time of the last use in ms since the epoch; 0 if another process has removed the folder. */
function lastUseMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
