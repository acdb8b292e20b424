import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A file, or a folder when it has no content. */
export interface TreeEntry {
  readonly path: string;
  readonly content?: string | Uint8Array;
  /** Permission bits. */
  readonly mode?: number;
  /** Seconds since 1970. */
  readonly mtime?: number;
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "landscaper-test-container-"));
}

/** Folders of entries are made as they are needed. */
export function writeTree(root: string, entries: readonly TreeEntry[]): void {
  mkdirSync(root, { recursive: true });
  for (const { path, content } of entries) {
    const file = join(root, path);
    mkdirSync(content === undefined ? file : dirname(file), { recursive: true });
    if (content !== undefined) writeFileSync(file, content);
  }
  // Folders last and inner ones first: what is written into them changes their times.
  for (const { path, mode, mtime } of entries.toSorted((a, b) => b.path.length - a.path.length)) {
    if (mode !== undefined) chmodSync(join(root, path), mode);
    if (mtime !== undefined) utimesSync(join(root, path), mtime, mtime);
  }
}

/** All that is below a folder, by path. */
export function listTree(root: string, above = ""): TreeEntry[] {
  const names = readdirSync(join(root, above)).toSorted();
  return names.flatMap((name) => {
    const path = above === "" ? name : `${above}/${name}`;
    const stats = lstatSync(join(root, path));
    const found = { path, mode: stats.mode & 0o7777, mtime: Math.floor(stats.mtimeMs / 1000) };
    if (stats.isDirectory()) return [found, ...listTree(root, path)];
    return [{ ...found, content: readFileSync(join(root, path)).toString("base64") }];
  });
}
