// Caches the bundles of earlier builds for all clones of a user. Bundling all programs takes 47 s of processor time.
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  type Stats,
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
/** Names of folders that only this cache makes. The folder may have others of the user's. */
const buildName = /^build-[0-9a-f]{64}$/;
const unfinishedName = /^unfinished-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Sources of bundles. */
const sources = /^(?:(?:libs|services|scripts)\/|(?:package|tsconfig[^/]*)\.json$|pnpm-[^/]+\.yaml$)/;
/** Files among them that no bundle contains: tests, test data and Markdown. */
const excluded = /\.test\.ts$|\.md$|\/(?:test|testdata)\//;

/** Returns the files that determine the bundles, relative to `root`; undefined outside a checkout. */
export function listBundleSources(root: string): readonly string[] | undefined {
  return listWorkingTree(root)?.filter((file) => sources.test(file) && !excluded.test(file));
}

/** The sources of bundles at one time. */
export interface BundleSources {
  /** Hash of the sources, the lock file and the Node version. */
  readonly hash: string;
  /** Returns true if the hash covers the file, given by its path relative to the root. */
  has(file: string): boolean;
  /** Returns false if a source was added, removed or written since, even if its content is the same again. */
  isUnchanged(): boolean;
}

/**
 * Reads the sources of bundles. Returns undefined outside a checkout, or if a source is not a regular file, such as a symbolic link: a hash cannot cover it.
 */
export function readSources(root: string): BundleSources | undefined {
  const files = listBundleSources(root)?.toSorted();
  const before = files && fingerprintFiles(root, files);
  if (before === undefined) return undefined;
  const hash = createHash("sha256").update(process.version);
  for (const file of files ?? []) hash.update(`\n${file}\n`).update(sha256(readFileSync(join(root, file))));
  const known = new Set(files);
  return {
    hash: hash.digest("hex"),
    has: (file) => known.has(file),
    isUnchanged: () => {
      const now = listBundleSources(root)?.toSorted();
      return now !== undefined && fingerprintFiles(root, now) === before;
    },
  };
}

/** Returns a text that changes whenever a file is written; undefined if a file is not regular. */
function fingerprintFiles(root: string, files: readonly string[]): string | undefined {
  const stats = files.map((file) => lstatSync(join(root, file), { bigint: true, throwIfNoEntry: false }));
  if (!stats.every((each) => each?.isFile() === true)) return undefined;
  return JSON.stringify(stats.map((each, at) => [files[at], `${each?.ino}`, `${each?.ctimeNs}`]));
}

function sha256(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns the cache folder: LANDSCAPER_BUILD_CACHE if set, otherwise a folder in the user's cache. */
export function buildCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { LANDSCAPER_BUILD_CACHE: folder = "" } = env;
  return folder === "" ? join(userCacheFolder(env), "landscaper-build") : resolve(folder);
}

/** Explains why a cache folder is unsafe: another user could plant a bundle there. Returns undefined for a safe or missing folder. Pure. */
export function explainUnsafeFolder(
  folder: string,
  stats: Pick<Stats, "uid" | "mode"> | undefined,
  uid: number | undefined,
): string | undefined {
  if (stats === undefined || uid === undefined) return undefined;
  if (stats.uid !== uid) {
    return `${folder}: expected a folder of user ${uid}, found one of user ${stats.uid}. Set LANDSCAPER_BUILD_CACHE to a folder that only you can write.`;
  }
  const mode = (stats.mode & 0o777).toString(8);
  return (stats.mode & 0o022) === 0
    ? undefined
    : `${folder}: expected a folder that only its owner can write, found mode ${mode}. Run chmod go-w ${folder}, or set LANDSCAPER_BUILD_CACHE to another folder.`;
}

/** Contents of the files of a program, by their paths relative to the output folder. */
export type BundleFiles = ReadonlyMap<string, string>;

/** Cached bundles of one source hash. */
export interface BundleCache {
  /**
   * Copies a program's files into the output folder and returns their paths; undefined if the program is not cached or its entry is damaged. Throws if the
   * output folder cannot be written.
   */
  restore(program: string, outdir: string): readonly string[] | undefined;
  /** Caches the files that a build has made. Removes the least recently used builds. Throws if the cache cannot be written. */
  store(program: string, files: BundleFiles): void;
}

/** Digests of an entry's files, by their paths. */
type Manifest = Readonly<Record<string, string>>;
const manifestFile = "manifest.json";

/** Opens the cache for sources with this hash, of 64 hexadecimal digits. The folder may have files of other programs. */
export function openBundleCache(folder: string, hash: string): BundleCache {
  const build = join(folder, `${buildPrefix}${hash}`);
  return {
    restore: (program, outdir) => {
      markAsUsed(build);
      const files = readEntry(join(build, program));
      if (files === undefined) return undefined;
      writeFiles(outdir, files);
      return [...files.keys()];
    },
    store: (program, files) => {
      // Builds execute cached files, so only the user may write the folder.
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      mkdirSync(build, { recursive: true });
      const staging = join(folder, `${unfinishedPrefix}${randomUUID()}`);
      try {
        writeEntry(staging, files);
        publishEntry(staging, join(build, program), folder);
      } finally {
        rmSync(staging, { recursive: true, force: true });
      }
      removeOldBuilds(folder);
    },
  };
}

/** Must run before the files are read: otherwise another build may remove this one as the least recently used. */
function markAsUsed(build: string): void {
  const now = new Date();
  try {
    utimesSync(build, now, now);
  } catch {
    // The build is missing, or the cache is read-only and no build removes anything from it.
  }
}

/** Returns the contents of an entry by their paths; undefined if it is missing, damaged, or removed concurrently. */
function readEntry(entry: string): ReadonlyMap<string, Buffer> | undefined {
  try {
    const manifest = parseManifest(readFileSync(join(entry, manifestFile), "utf8"));
    if (manifest === undefined) return undefined;
    const contents = new Map(Object.keys(manifest).map((file) => [file, readFileSync(join(entry, "files", file))]));
    return [...contents].every(([file, content]) => sha256(content) === manifest[file]) ? contents : undefined;
  } catch {
    return undefined;
  }
}

/** Returns undefined if the text is not a manifest, or if the manifest lists no files. */
function parseManifest(text: string): Manifest | undefined {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
  const entries = Object.entries(parsed);
  return entries.length > 0 && entries.every(([, digest]) => typeof digest === "string")
    ? (parsed as Manifest) // checked above
    : undefined;
}

function writeEntry(entry: string, files: BundleFiles): void {
  const manifest = Object.fromEntries([...files].map(([file, content]) => [file, sha256(content)]));
  writeFiles(join(entry, "files"), files);
  writeFiles(entry, new Map([[manifestFile, JSON.stringify(manifest)]]));
}

/** Writes files into a folder, by their paths relative to it. Creates missing folders. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Buffer | string>): void {
  for (const [file, content] of files) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** Publishes a staged entry. Replaces a damaged one, but keeps a complete one of another process. */
function publishEntry(staging: string, entry: string, folder: string): void {
  if (readEntry(entry) !== undefined) return;
  removeAtomically(entry, folder);
  try {
    renameSync(staging, entry);
  } catch (error) {
    // Another process may have cached the same program.
    if (readEntry(entry) === undefined) throw error;
  }
}

function removeOldBuilds(folder: string): void {
  const list = (pattern: RegExp) =>
    readdirSync(folder)
      .filter((name) => pattern.test(name))
      .map((name) => ({ path: join(folder, name), usedMs: lastUseMs(join(folder, name)) }));
  const old = list(buildName).toSorted((a, b) => b.usedMs - a.usedMs);
  for (const { path } of old.slice(maxBuilds)) removeAtomically(path, folder);
  const abandoned = list(unfinishedName).filter(({ usedMs }) => usedMs < Date.now() - abandonedMs);
  for (const { path } of abandoned) rmSync(path, { recursive: true, force: true });
}

/** Renames the folder first: a process that is killed here must not leave an incomplete build. */
function removeAtomically(path: string, folder: string): void {
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
