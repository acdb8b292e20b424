import type { Dirent } from "node:fs";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "@landscaper/components";
import { UsageError } from "../usage-error.ts";

/** A folder of the disk as the blueprint library takes it: bytes by name, folders nested. Links are not followed. */
export interface FolderTree {
  [name: string]: Uint8Array | FolderTree;
}

export function readFolder(path: string): FolderTree {
  const tree: FolderTree = {};
  for (const entry of listFolder(path)) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) tree[entry.name] = readFolder(child);
    else if (entry.isFile()) tree[entry.name] = readFileSync(child);
  }
  return tree;
}

function listFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") throw new UsageError(`${path}: there is no such folder`);
    if (code === "ENOTDIR") throw new UsageError(`${path}: expected the folder of a blueprint, found a file`);
    throw error;
  }
}
