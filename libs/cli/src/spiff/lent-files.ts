import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { SpiffMerge } from "@landscaper/spiff";
import { PrintedError } from "../usage-error.ts";

type Files = NonNullable<SpiffMerge["files"]>;

/** The files below a folder, for `read` and the like. Throws PrintedError for what is no folder, and later for links that lead out of it. */
export function lendFiles(folder: string): Files {
  const root = realPathOf(folder);
  if (root === undefined || !statSync(root).isDirectory())
    throw new PrintedError(`--files: ${folder} is not a folder\n`);
  /** Undefined where there is nothing. */
  const find = (path: string): string | undefined => {
    const real = realPathOf(join(root, path));
    if (real === undefined || isBelow(root, real)) return real;
    throw new PrintedError(`--files: ${path}: the link leads out of ${folder}\n`);
  };
  return {
    has: (path) => {
      const real = find(path);
      return real !== undefined && statSync(real).isFile();
    },
    readText: (path) => readFileSync(find(path) ?? "", "utf8"),
    readDir: (path) => {
      const real = find(path);
      const entries = real === undefined ? [] : readdirSync(real, { withFileTypes: true });
      return entries
        .flatMap((entry) => describeEntry(entry, () => find(join(path, entry.name))))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

/** A link is what it leads to; one that leads nowhere is left out. */
function describeEntry(entry: Dirent, follow: () => string | undefined): { name: string; isDirectory: boolean }[] {
  const { name } = entry;
  if (!entry.isSymbolicLink()) return [{ name, isDirectory: entry.isDirectory() }];
  const real = follow();
  return real === undefined ? [] : [{ name, isDirectory: statSync(real).isDirectory() }];
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(String(Reflect.get(Object(error), "code")))) return undefined;
    throw error;
  }
}
