import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { LandscaperError } from "@landscaper/api";
import { systemErrorCode } from "../system-error.ts";

/**
 * Creates a folder and the folders above it. Throws LandscaperError. Unlike `mkdir` with `recursive`, it ends on file systems that answer ENOENT to every
 * new folder, such as /proc.
 */
export function createFolder(path: string): void {
  try {
    createLevels(path);
  } catch (error) {
    throw new LandscaperError({
      message: `cannot create the folder ${path}: ${describeProblem(error)}`,
      reason: "InvalidInput",
      hint: "choose a folder that you may write to",
      retry: "never",
      cause: error,
    });
  }
}

function createLevels(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "EEXIST" && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path) throw error;
    createLevels(parent);
    mkdirSync(path);
  }
}

const problems: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "a file or a broken link is in the way",
  ENOENT: "its file system does not allow new folders",
  ENOSPC: "no space left",
  ENOTDIR: "a file or a broken link is in the way",
  EPERM: "permission denied",
  EROFS: "its file system is read-only",
};

function describeProblem(error: unknown): string {
  const code = systemErrorCode(error) ?? "unknown error";
  return problems[code] ?? code;
}
