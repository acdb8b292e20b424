import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What .dockerignore lets into a build, without the packages: those are named by the lock file. */
const patterns = [
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "tsconfig.base.json",
  "{libs,scripts,services}/**/*",
  "test-e2e/package.json",
];

const isLeftOut = (path: string): boolean =>
  /(^|\/)(node_modules|testdata|dist)(\/|$)|\.tsbuildinfo$|\.test\.ts$/.test(path);

/** A hash of all that the images of this machine are built from: names and contents of the sources, and its Node. */
export function hashImageSources(root: string): string {
  const hash = createHash("sha256").update(process.version);
  // `exclude` keeps the search out of folders; it is not asked about every file.
  const found = globSync(patterns, { cwd: root, exclude: (path) => isLeftOut(path) });
  for (const file of found.filter((path) => !isLeftOut(path)).toSorted()) {
    const data = tryRead(join(root, file));
    if (data !== undefined) hash.update(`\n${file}\n${data.length}\n`).update(data);
  }
  return hash.digest("hex").slice(0, 16);
}

/** Undefined for a folder, which has no content of its own. */
function tryRead(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EISDIR") return undefined;
    throw error;
  }
}
