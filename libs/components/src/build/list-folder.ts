import { createReadStream, type Stats } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { quoteText } from "@landscaper/api";
import { compareStrings } from "@landscaper/goyaml";
import type { FileToPack } from "../archive/pack-files.ts";
import { transportLimits } from "../archive/archive-limits.ts";
import { componentError } from "../component-error.ts";
import { compileGlob, type GlobMatcher } from "./compile-glob.ts";

export interface ListFolderOptions {
  /** The last part of the path stands before all names. Default: false. */
  readonly preserveDir?: boolean | undefined;
  /** Whether the target of a link is packed instead of it. Default: false, links are errors. */
  readonly followSymlinks?: boolean | undefined;
  /** Patterns of paths below the folder. Without patterns, all files are included. */
  readonly includeFiles?: readonly string[] | undefined;
  /** Takes precedence over `includeFiles`. Excludes matching folders with all their content. */
  readonly excludeFiles?: readonly string[] | undefined;
  /** Begins messages. */
  readonly where: string;
  /** Maximum number of names that the walk reads. Default: 1,000,000. */
  readonly maxVisited?: number | undefined;
  /** Receives a warning if no file matches, and for each pattern of `excludeFiles` that matches nothing. */
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * The files and folders below a folder, ready to be packed: folders before what is in them, by the bytes of their names. Throws LandscaperError for links
 * that are not to be followed or lead into a ring, for devices and sockets, and for more than an archive may hold.
 */
export async function* listFolder(path: string, options: ListFolderOptions): AsyncGenerator<FileToPack> {
  const { where } = options;
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    const what = found === undefined ? "nothing" : found.isFile() ? "a file" : "neither a file nor a folder";
    throw componentError(
      "InvalidComponent",
      `${where}: path: expected a folder, found ${what} at ${path}. Correct the path; it is relative to the constructor file.`,
    );
  }
  const { includeFiles = [], excludeFiles = [] } = options;
  const unused = new Set(excludeFiles.keys());
  const patterns = {
    include: includeFiles.length === 0 ? undefined : compileGlobs(includeFiles, `${where}: includeFiles`),
    exclude: compileGlobs(excludeFiles, `${where}: excludeFiles`, unused),
  };
  const prefix = options.preserveDir === true ? `${basename(await realpath(path))}/` : "";
  if (prefix !== "") yield { name: prefix.slice(0, -1), size: 0 };
  let entries = 0;
  for await (const file of walk(path, "", {
    options,
    patterns,
    above: [await realpath(path)],
    visited: { count: 0 },
  })) {
    entries += 1;
    if (entries > transportLimits.entries) {
      throw componentError("InvalidComponent", `${where}: ${path} has more than ${transportLimits.entries} entries`);
    }
    yield { ...file, name: `${prefix}${file.name}` };
  }
  if (entries === 0 && includeFiles.length > 0) {
    options.warn?.(`${where}: includeFiles: no file in ${path} matches, so the tar has no files; correct the patterns`);
  }
  for (const at of unused) {
    options.warn?.(
      `${where}: excludeFiles[${at}]: nothing in ${path} matches ${quoteText(excludeFiles[at] ?? "")} outside of excluded folders; correct or remove the pattern`,
    );
  }
}

/** Returns a test whether one of the patterns matches. It removes the indices of patterns that match from `unused`. */
function compileGlobs(patterns: readonly string[], field: string, unused = new Set<number>()): GlobMatcher {
  const matchers = patterns.map((pattern, at) => compileGlob(pattern, `${field}[${at}]`));
  return (path) => {
    for (const at of unused) if (matchers[at]?.(path) === true) unused.delete(at);
    return matchers.some((matches) => matches(path));
  };
}

interface Walk {
  readonly options: ListFolderOptions;
  readonly patterns: { readonly include: GlobMatcher | undefined; readonly exclude: GlobMatcher };
  /** Real paths of the folders that lead here. */
  readonly above: readonly string[];
  /** Number of names that the walk has read, including names that no pattern includes. */
  readonly visited: { count: number };
}

/** Real folders have fewer names. With followed links, the number of paths to one folder can grow exponentially. */
const maxVisited = 1_000_000;

async function* walk(root: string, folder: string, state: Walk): AsyncGenerator<FileToPack> {
  const { options, patterns, above, visited } = state;
  const names = await readdir(join(root, folder));
  visited.count += names.length;
  if (visited.count > (options.maxVisited ?? maxVisited)) {
    throw componentError(
      "InvalidComponent",
      `${options.where}: ${root}: expected at most ${options.maxVisited ?? maxVisited} names, including those behind links, found more. Exclude folders.`,
    );
  }
  for (const name of names.toSorted(compareStrings)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (patterns.exclude(path)) continue;
    const file = join(root, path);
    const found = await statOf(file, options);
    if (found.isDirectory()) {
      const real = await realpath(file);
      if (above.includes(real)) {
        throw componentError("InvalidComponent", `${options.where}: ${file}: the link leads to a folder that it is in`);
      }
      const inside = walk(root, path, { ...state, above: [...above, real] });
      yield* patterns.include === undefined ? withFolder(path, inside) : inside;
    } else if (!found.isFile()) {
      throw componentError(
        "InvalidComponent",
        `${options.where}: ${file}: expected a file or a folder, found a device, socket or pipe. Remove it, or exclude it.`,
      );
    } else if (patterns.include?.(path) !== false) {
      const isExecutable = (found.mode & 0o100) !== 0;
      yield { name: path, size: found.size, isExecutable, content: () => createReadStream(file) };
    }
  }
}

async function* withFolder(name: string, inside: AsyncIterable<FileToPack>): AsyncGenerator<FileToPack> {
  yield { name, size: 0 };
  yield* inside;
}

async function statOf(file: string, { followSymlinks, where }: ListFolderOptions): Promise<Stats> {
  const own = await lstat(file);
  if (!own.isSymbolicLink()) return own;
  if (followSymlinks !== true) {
    throw componentError(
      "InvalidComponent",
      `${where}: ${file}: expected a file or a folder, found a link. Remove it, exclude it, or set followSymlinks: true.`,
    );
  }
  const target = await stat(file).catch(() => undefined);
  if (target !== undefined) return target;
  throw componentError("InvalidComponent", `${where}: ${file}: the link leads nowhere`);
}
